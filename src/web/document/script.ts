/** Copies the access key; without it the key can be marked by hand. */
export const documentScript = `const button = document.querySelector('[data-copy]');
if (button && navigator.clipboard) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const said = document.getElementById('copiado');
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
      said.textContent = 'Clave de acceso copiada.';
    } catch {
      said.textContent = 'No se pudo copiar: selecciónela con el dedo o el ratón.';
    }
  });
}
`;
