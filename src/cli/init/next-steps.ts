import type { Initialized } from './run.ts';

export function nextSteps({ written, lacking, panel, caveats }: Initialized): string {
  const isKept = !written.includes('.env');
  const steps = [
    ...(lacking.length > 0 ? [`Complete en .env: ${lacking.join(', ')}.`] : []),
    '«facturapuente start», y déjelo en marcha.',
    '«facturapuente install --check» muestra qué falta.',
    '«facturapuente install» lo hace.',
    panelStep(panel),
  ];
  return [
    `Se escribió ${written.join(', ')}.${isKept ? ' Su .env quedó como estaba.' : ''}`,
    '',
    ...steps.map((step, at) => `${at + 1}. ${step}`),
    '',
    ...caveats.flatMap((caveat) => [`Atención: ${caveat}`, '']),
  ].join('\n');
}

function panelStep({ url, user, password }: Initialized['panel']): string {
  if (user === '')
    return `Para entrar al panel, ${url}, agregue un usuario en panel.users; «facturapuente hash-password» pide su contraseña.`;
  const made = password === null ? '' : `\n   Contraseña, que no se vuelve a mostrar: ${password}`;
  return `El panel: ${url}\n   Usuario: ${user}${made}`;
}
