import { type Html, html } from '../../../../src/domain/text.ts';
import { isoInEcuador } from '../../clock.ts';
import type { World } from '../../world.ts';
import { pace } from './clock.ts';
import { isFailing, triedDeliveries } from './deliveries.ts';
import type { View } from './parts.ts';
import { moment } from './words.ts';

/** What an action has to say on the page it comes back to. */
export interface Notice {
  tone: 'ok' | 'bad';
  text: string;
}

/** The whole document around a view. Only what carries an id is exchanged while the page lives. */
export function layout(world: World, { title, section, body }: View, notice: Notice | undefined): string {
  const page = html`<!doctype html>
<html lang="es-EC">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · sandbox de facturapuente</title>
<link rel="icon" href="/pagina/icono.svg" type="image/svg+xml">
<link rel="stylesheet" href="/pagina/estilo.css">
<script src="/pagina/pagina.js" defer></script>
</head>
<body>
<a class="skip" href="#contenido">Ir al contenido</a>
<header id="cabecera">
<a class="brand" href="/"><img src="/pagina/icono.svg" alt="" width="26" height="26"><span>facturapuente <b>sandbox</b></span></a>
<nav aria-label="Secciones" id="menu">${menu(world, section)}</nav>
<a class="clock" href="/pagina/reloj"><span class="soft">Reloj del sandbox</span>${moment(isoInEcuador(world.clock.now()))}<span class="soft">${pace(world.clock.rate)}</span></a>
<p class="pulse" id="pulso" data-still><span class="soft">Recargue para ver lo nuevo</span></p>
</header>
<main id="contenido" tabindex="-1">
<div id="aviso" role="status">${notice && html`<p class="notice ${notice.tone}">${notice.text}</p>`}</div>
<p id="resumen" class="hidden" aria-live="polite">${summary(world)}</p>
<div id="vista">${body}</div>
</main>
</body>
</html>`;
  return page.text;
}

function menu(world: World, section: string): Html[] {
  const failing = triedDeliveries(world).filter(isFailing).length;
  const entries: [path: string, name: string, count: number | null, tone?: string][] = [
    ['/', 'Comprobantes', world.documents.all().length],
    ['/pagina/entregas', 'Entregas', failing || null, 'bad'],
    ['/pagina/cuentas', 'Cuentas', null],
    ['/pagina/fallas', 'Fallas', world.faults.list().length || null, 'wait'],
    ['/pagina/reloj', 'Reloj', null],
    ['/pagina/auditoria', 'Auditoría', null],
  ];
  return entries.map(
    ([path, name, count, tone]) =>
      html`<a href="${path}"${path === section && html` aria-current="page"`}>${name}${count !== null && html` <span class="pill ${tone ?? 'plain'}">${count}</span>`}</a>`,
  );
}

/** A live region for screen readers: the state of the list. */
function summary(world: World): string {
  const all = world.documents.all();
  const decided = all.filter(({ estado }) => estado !== 1).length;
  return `${all.length} comprobantes; ${decided} con respuesta del SRI.`;
}
