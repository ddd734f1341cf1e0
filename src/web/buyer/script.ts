/** The form works without the script. `rules` is the address of the module src/domain/identification. */
export const buyerScript = (rules: string): string => `import { answeredId } from '${rules}';

const form = document.querySelector('form[data-buyer]');
if (form) {
  const { tipo, identificacion, nombre } = form.elements;
  const flaw = document.getElementById('identificacion-reparo');
  const offer = document.getElementById('sugerencia');
  let touched = identificacion.value !== '';
  let asked = '';

  const say = (text, good) => {
    if (flaw.textContent !== text) flaw.textContent = text;
    flaw.classList.toggle('good', Boolean(good));
    if (text && !good) identificacion.setAttribute('aria-invalid', 'true');
    else identificacion.removeAttribute('aria-invalid');
  };
  const read = () => (tipo.value === '' ? null : answeredId(tipo.value, identificacion.value));
  const whole = () => {
    const length = { cedula: 10, ruc: 13 }[tipo.value];
    return length !== undefined && identificacion.value.replace(/\\D/g, '').length >= length;
  };

  function check() {
    const found = read();
    if (found === null || (!touched && !whole())) return say('');
    if (found.message) return say(found.message);
    const local = tipo.value === 'cedula' || tipo.value === 'ruc';
    say(local ? (tipo.value === 'ruc' ? 'RUC válido.' : 'Cédula válida.') : '', true);
    if (local && form.dataset.names !== undefined) suggest(tipo.value, found.value);
  }

  async function suggest(kind, id) {
    if (asked === id || nombre.value.trim() !== '') return;
    asked = id;
    const body = new URLSearchParams({ tipo: kind, identificacion: id });
    const answer = await fetch(location.pathname + '/nombre', { method: 'POST', body }).catch(() => null);
    const said = answer && answer.ok ? await answer.json() : { nombre: null };
    if (!said.nombre || nombre.value.trim() !== '' || asked !== id) return;
    nombre.value = said.nombre;
    offer.textContent = 'Este nombre consta en el registro: compruébelo o corríjalo.';
  }

  identificacion.addEventListener('input', check);
  identificacion.addEventListener('change', () => { touched = true; check(); });
  form.addEventListener('change', (event) => {
    if (event.target.name !== 'tipo') return;
    identificacion.inputMode = tipo.value === 'cedula' || tipo.value === 'ruc' ? 'numeric' : 'text';
    check();
  });
  nombre.addEventListener('input', () => { offer.textContent = ''; });
  form.addEventListener('submit', (event) => {
    const found = read();
    if (!found || !found.message) return;
    event.preventDefault();
    touched = true;
    check();
    identificacion.focus();
  });
}

const left = document.querySelector('[data-left]');
if (left) {
  const end = performance.now() + Number(left.dataset.left) * 1000;
  const tick = () => {
    const minutes = Math.max(0, Math.ceil((end - performance.now()) / 60000));
    const hours = Math.floor(minutes / 60);
    const rest = hours > 0 ? hours + ' h ' + (minutes % 60) + ' min' : minutes + ' min';
    left.textContent = minutes > 0 ? ' (faltan ' + rest + ')' : '';
    left.hidden = minutes === 0;
  };
  tick();
  setInterval(tick, 15000);
}

// The factura is not decided yet: reload its state.
const state = document.getElementById('estado');
async function look(times) {
  const answer = await fetch(location.pathname, { cache: 'no-store' }).catch(() => null);
  const page = answer && new DOMParser().parseFromString(await answer.text(), 'text/html');
  const fresh = page && page.getElementById('estado');
  if (fresh) {
    if (fresh.textContent !== state.textContent) {
      state.replaceChildren(...fresh.childNodes);
      document.title = page.title;
      document.querySelector('h1').textContent = page.querySelector('h1').textContent;
    }
    if (fresh.dataset.wait === undefined) return;
  }
  if (times > 0) setTimeout(look, 2000, times - 1);
}
if (state && state.dataset.wait !== undefined) setTimeout(look, 1000, 60);
`;
