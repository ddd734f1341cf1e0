import { type Html, html } from '../../../../src/domain/text.ts';
import type { World } from '../../world.ts';
import { audit } from '../audit.ts';
import { badge, card, empty, type Form, facts, table, type View } from './parts.ts';
import { moment } from './words.ts';

const shownRequests = 50;

/** `/pagina/auditoria`: what a client's books must agree with, the latest requests, and the way to start over. */
export function auditView(world: World, form: Form): View {
  const { documents, duplicates, gaps, creditsSpent, requests } = audit(world);
  const body = html`<h1>Auditoría</h1>
<p class="lead">Contra esto deben cuadrar los libros de su programa.</p>
<div class="grid">
${card(
  'Comprobantes',
  facts([
    ['Almacenados', String(documents.total)],
    ['Autorizados', String(documents.authorised)],
    ['Con error', String(documents.refused)],
    ['En proceso', String(documents.processing)],
  ]),
)}
${card(
  'Créditos gastados',
  facts(creditsSpent.map(({ key, credits }) => [`Cuenta ${key.replace(/^\*+/, '····')}`, String(credits)])),
)}
${card(
  'Cómo habla',
  facts([
    ['Dialecto', world.settings.dialect],
    ['Cálculo', world.settings.arithmetic],
    ['Código numérico', world.settings.codigoNumerico],
    ['Solo empresas registradas', world.settings.strict ? 'sí' : 'no'],
  ]),
)}
${card('Solicitudes', facts([['Total', String(requests.total)], ...statusRows(requests.byStatus)]))}
</div>
${card('Números duplicados', duplicateTable(duplicates), findings(duplicates.length))}
${card('Huecos en la numeración', gapTable(gaps), findings(gaps.length))}
${card('Últimas solicitudes', requestTable(world))}
${card('Empezar de nuevo', resetForm(form))}`;
  return { title: 'Auditoría', section: '/pagina/auditoria', body };
}

const findings = (count: number) => (count === 0 ? badge('ok', 'Ninguno') : badge('bad', String(count)));

const statusRows = (byStatus: Record<string, number>): [string, string][] =>
  Object.entries(byStatus).map(([status, count]) => [
    status === '0' ? 'Sin respuesta' : `HTTP ${status}`,
    String(count),
  ]);

function duplicateTable(all: ReturnType<typeof audit>['duplicates']): Html {
  if (all.length === 0) return empty('Ningún número lo llevan dos comprobantes.');
  const rows = all.map(
    ({ numero, series, claves, authorised }) => html`<tr>
<td>${numero}<span class="under">${series}</span></td>
<td>${claves.map((clave) => html`<a class="key" href="/pagina/comprobantes/${clave}"><code>${clave}</code></a> `)}</td>
<td>${authorised > 1 ? badge('bad', `${authorised} autorizados`) : badge('plain', `${authorised} autorizado`)}</td></tr>`,
  );
  return table('Números duplicados', [{ name: 'Número' }, { name: 'Claves' }, { name: 'Autorizados' }], rows);
}

function gapTable(all: ReturnType<typeof audit>['gaps']): Html {
  if (all.length === 0) return empty('Cada serie está completa entre su primer y su último número.');
  const rows = all.map(
    ({ series, from, to, missing }) =>
      html`<tr><td>${series}</td><td>${from}${from !== to && html` a ${to}`}</td><td class="num">${missing}</td></tr>`,
  );
  return table('Huecos', [{ name: 'Serie' }, { name: 'Faltan' }, { name: 'Cuántos', kind: 'num' }], rows);
}

function requestTable(world: World): Html {
  const latest = world.requests.all().slice(-shownRequests).reverse();
  if (latest.length === 0) return empty('Ninguna todavía.');
  const rows = latest.map(
    ({ at, method, path, key, status }) => html`<tr>
<td>${statusBadge(status)}</td><td><code class="key">${method} ${path}</code></td>
<td class="wide"><code>${key ?? 'sin clave'}</code></td><td class="num">${moment(at)}</td></tr>`,
  );
  const columns = [
    { name: 'Estado' },
    { name: 'Ruta' },
    { name: 'Clave', kind: 'wide' },
    { name: 'Hora', kind: 'num' },
  ];
  return table('Últimas solicitudes', columns, rows);
}

function statusBadge(status: number | null): Html {
  if (status === null) return badge('wait', '…');
  if (status === 0) return badge('bad', 'Cortada');
  return badge(status >= 400 ? 'bad' : 'plain', String(status));
}

function resetForm(form: Form): Html {
  return html`<p class="pad">Borra comprobantes, números, solicitudes, fallas y entregas; las cuentas vuelven a sus saldos iniciales.</p>
<details id="reiniciar" class="pad"><summary>Reiniciar el sandbox…</summary>
${form('reiniciar', html`<label class="check"><input type="checkbox" name="confirmo" value="si" required> Sí, borrar todo</label> <button class="danger">Reiniciar</button>`)}</details>`;
}
