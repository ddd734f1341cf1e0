import { type Html, html } from '../../../../src/domain/text.ts';
import type { SriMessage } from '../../authority/tables.ts';
import {
  estadoTexts,
  isAuthorised,
  isRefused,
  isWritten,
  receiverOf,
  type StoredDocument,
  type Tipo,
} from '../../emission/documents.ts';
import type { World } from '../../world.ts';
import { deliveryList, triedDeliveries } from './deliveries.ts';
import * as highlight from './highlight.ts';
import { download } from './own-calls.ts';
import { card, empty, type Form, facts, stateBadge, type View } from './parts.ts';
import { accountName, ambienteNames, amount, moment, typeNames } from './words.ts';

/** `/pagina/comprobantes/:claveacceso`: everything about one document. */
export async function documentView(world: World, document: StoredDocument, form: Form): Promise<View> {
  const name = `${typeNames[document.tipo]} ${document.numero}`;
  const receiver = receiverOf(document);
  const hasRide = isAuthorised(document) && isWritten(document);
  const received = card(
    'Cuerpo recibido',
    html`<pre tabindex="0" aria-label="Cuerpo recibido"><code>${highlight.json(document.body)}</code></pre>`,
  );
  const body = html`
<nav class="crumbs" aria-label="Ruta"><a href="/">← Comprobantes</a></nav>
<div class="head"><h1>${name} ${stateBadge(document)}</h1>${isRefused(document) && form(`comprobantes/${document.claveacceso}/reprocesar`, html`<button>Reprocesar</button>`)}</div>
<p class="lead">${receiver && html`${receiver.razon_social} · `}${document.figures && html`<strong>USD ${amount(document.figures.importeTotal)}</strong> · `}${ambienteNames[document.ambiente]}</p>
${messages(document)}
${missing(document)}
<div class="columns"><div>
${card('Datos', about(world, document))}
${card('Historia', history(world, document))}
${card('Entregas', deliveriesOf(world, document, form))}
</div><div>
${hasRide ? ride(document) : received}
</div></div>
${hasRide && html`${await authorisedXml(world, document)}${received}`}`;
  return { title: name, section: '/', body };
}

const receiverNames: Partial<Record<Tipo, string>> = { '06': 'Destinatario', '07': 'Proveedor' };

function about(world: World, document: StoredDocument): Html {
  const { emisor } = document.body;
  const receiver = receiverOf(document);
  return facts([
    ['Clave de acceso', html`<code class="key">${document.claveacceso}</code>`],
    ['Emisor', html`${emisor.razon_social || emisor.nombre_comercial} <code>${document.ruc}</code>`],
    [
      receiverNames[document.tipo] ?? 'Comprador',
      receiver && html`${receiver.razon_social} <code>${receiver.identificacion}</code>`,
    ],
    ['Fecha de emisión', document.fechaEmision],
    ['Cuenta', accountName(world, document.apiKey)],
    ['id_comprobante', String(document.id)],
  ]);
}

function messages(document: StoredDocument): Html {
  const list = (tone: string, title: string, all: readonly SriMessage[]) =>
    all.length > 0 &&
    html`<section class="messages ${tone}"><h2>${title}</h2><ul>${all.map(
      (one) =>
        html`<li><strong>${one.identificador} ${one.mensaje}</strong>${one.informacionAdicional && html`<span>${one.informacionAdicional}</span>`}</li>`,
    )}</ul></section>`;
  const refused = 'El SRI no lo autorizó: corrija y vuelva a emitir, o reprocese';
  return html`${list('bad', refused, document.errores)}${list('note', 'Advertencias del SRI', document.advertencias)}`;
}

/** Why there is no RIDE and no XML. */
function missing(document: StoredDocument): Html | false {
  if (!isWritten(document))
    return html`<p class="lead">El sandbox no genera RIDE ni XML de este tipo de comprobante.</p>`;
  return (
    document.estado === 1 && html`<p class="lead">El RIDE y el XML existen cuando el SRI lo autoriza.</p>`
  );
}

function history(world: World, document: StoredDocument): Html {
  const step = (tone: string, what: Html | string, when: Html | false) =>
    html`<li class="${tone}"><span>${what}</span>${when}</li>`;
  const attempts = attemptsOf(world, document).reverse();
  return html`<ol class="history">
${step('plain', 'Recibido y almacenado', moment(document.recibido))}
${isAuthorised(document) && step('ok', `Autorizado (estado ${document.estado})`, moment(document.fechaAutorizacion))}
${isRefused(document) && step('bad', `${estadoTexts[document.estado]} (estado ${document.estado})`, false)}
${document.estado === 1 && step('wait', 'El SRI lo está procesando', false)}
${attempts.map((one) =>
  step(
    one.exito ? 'ok' : 'bad',
    html`Webhook, intento ${one.intento}: ${one.estado_http ?? one.error}`,
    moment(one.enviado_en),
  ),
)}</ol>`;
}

const attemptsOf = (world: World, { apiKey, claveacceso }: StoredDocument) =>
  (world.accounts.get(apiKey)?.deliveries ?? []).filter((one) => one.claveacceso === claveacceso);

function deliveriesOf(world: World, document: StoredDocument, form: Form): Html {
  const own = triedDeliveries(world).filter(({ delivery }) => delivery.claveacceso === document.claveacceso);
  if (own.length > 0) return deliveryList(world, own, form, { naming: false });
  const hasWebhook = world.accounts.get(document.apiKey)?.webhook?.activo;
  return empty(hasWebhook ? 'Ninguna entrega todavía.' : 'La cuenta no tiene un webhook activo.');
}

const path = ({ claveacceso }: StoredDocument) => `/pagina/comprobantes/${claveacceso}`;

function ride(document: StoredDocument): Html {
  const file = `${path(document)}/ride.pdf`;
  return card(
    'RIDE',
    html`<iframe class="ride" src="${file}#toolbar=0&navpanes=0" title="RIDE de ${document.numero}"></iframe>`,
    html`<a href="${file}">Abrir el PDF</a>`,
  );
}

async function authorisedXml(world: World, document: StoredDocument): Promise<Html | false> {
  const bytes = await download(world, document, 'descargar_xml');
  if (!bytes) return false;
  const whole = bytes.content.toString();
  const inside = /<!\[CDATA\[([\s\S]*)\]\]>/.exec(whole)?.[1] ?? whole;
  return card(
    'XML autorizado',
    html`<pre tabindex="0" aria-label="XML autorizado"><code>${highlight.xml(inside)}</code></pre>`,
    html`<a href="${path(document)}/comprobante.xml" download>Descargar</a>`,
  );
}
