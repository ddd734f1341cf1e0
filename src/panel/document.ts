import { Buffer } from 'node:buffer';
import { type Document, differingFields, roundingOf } from '../domain/document.ts';
import { parseJson } from '../domain/loose.ts';
import { creditRounding } from '../domain/money-policy.ts';
import type { Order } from '../domain/order.ts';
import { mayDo } from '../domain/settings.ts';
import { type Html, html, type Piece } from '../domain/text.ts';
import { fileTypes } from '../http/document-links.ts';
import type { FileKind } from '../ledger/schema.ts';
import type { DocumentTimeline, PendingJob } from '../ledger/timeline.ts';
import { alertTexts } from '../messages/alerts.ts';
import { meaningOf } from '../messages/reasons.ts';
import { causeWords, jobWords, outcomeWords, stateWords, waitWords } from '../messages/timeline.ts';
import { askBuyer, revokeLinks } from '../operations/documents.ts';
import type { Action } from '../planner/action.ts';
import { explainAction } from '../planner/explain/action.ts';
import {
  acts,
  card,
  cards,
  chip,
  copyButton,
  documentPath,
  documentTitle,
  fold,
  key,
  kindNames,
  link,
  moment,
  money,
  orderPath,
  pairs,
  plural,
  quote,
  section,
  soft,
  stateChip,
  warning,
} from './components.ts';
import { documentButtons } from './document-buttons.ts';
import { operationButton } from './operations.ts';
import type { PanelPage, PanelView, Visit } from './visit.ts';

export const documentPage: PanelPage = {
  path: '/documento/:id',
  role: 'read',
  async show(visit) {
    const { ledger } = visit.deps;
    const document = await ledger.documents.get(visit.params.id ?? '');
    if (!document) return missing(visit);
    const timeline = await ledger.timelines.of(document);
    const own = timeline?.documents.find((one) => one.document.id === document.id);
    const actions = (timeline?.order.decision ?? []) as Action[];
    const action = actions.find((one) => one.key === document.key);
    const jobs = (timeline?.jobs ?? []).filter(
      ({ documentId }) => documentId === null || documentId === document.id,
    );
    return {
      title: documentTitle(document),
      back: toFind,
      body: html`<div class="lead"><p>${stateChip(document)} ${document.ambiente === 1 && chip('Pruebas: sin validez tributaria', 'plain')}</p></div>
${documentState(visit, document)}
${acts(buttonsOf(visit, document, own))}
${documentFacts(visit, document)}
<div class="columns">${section('historia', 'Historial', showHistory(visit, own?.history ?? []))}
<div>${section('envios', 'Envíos', showAttempts(visit, own?.attempts ?? []))}
${section('falta', words.pending, showJobs(visit, jobs))}</div></div>
${section('porque', 'Detalle del cálculo', action ? showAction(action) : soft(words.noPlan))}
${await documentContent(visit, document)}`,
    };
  },
};

const toFind = ['/buscar', 'Buscar'] as const;

const missing = (visit: Visit): PanelView => ({
  title: 'No existe',
  status: 404,
  body: html`<p>El registro no conoce ese documento o ese pedido.</p><p>${link(visit, '/buscar', 'Ir a buscar')}</p>`,
});

function buttonsOf(visit: Visit, document: Document, past: DocumentTimeline | undefined): Piece {
  const fields = { document: document.id };
  if (document.state !== 'authorized') return documentButtons(visit, document, { past });
  return html`${operationButton(visit, askBuyer, { fields, label: 'Enviar el enlace al comprador', plain: true })}${operationButton(visit, revokeLinks, { fields, label: 'Anular los enlaces entregados', plain: true })}`;
}

function documentState(visit: Visit, document: Document): Html {
  const { reason, verification, state, kind, charged, total, annulledAt } = document;
  const ours = kind === 'nota-credito' && state === 'authorized' ? creditRounding(charged, total) : null;
  const [fields, theirs] = [differingFields(verification), roundingOf(verification)];
  return html`<p>${words.states[state]}</p>
${annulledAt !== null && warning(words.annulled(moment(annulledAt, visit)))}
${quote(reason)}
${ours !== null && soft(ours)}
${verification === 'agrees' && soft('El XML autorizado coincide exactamente con lo que se envió.')}
${theirs && soft(words.rounded(money(total ?? theirs.total), money(theirs.total)))}
${fields && warning(html`El XML autorizado no coincide con lo que se envió. Difieren: ${key(fields.join(', '))}`)}`;
}

function documentFacts(visit: Visit, document: Document): Html {
  const { total, issueDate, authorizedAt, writtenBack, accessKey } = document;
  const copy = { label: 'Copiar la clave', done: 'Clave copiada.', look: 'quiet' } as const;
  return pairs([
    ['Pedido', link(visit, orderPath(document), document.orderName)],
    ['Tienda', document.storeId],
    [document.kind === 'factura' ? 'Cobrado' : 'Devuelto', money(document.charged)],
    ['Documento', total === null ? null : money(total)],
    ['Fecha de emisión', issueDate],
    ['Autorizada', authorizedAt === null ? null : moment(authorizedAt, visit)],
    ['Escrita en el pedido', writtenBack === null ? 'todavía no' : stateWords[writtenBack]],
    ['Clave de acceso', accessKey === null ? null : html`${key(accessKey)} ${copyButton(accessKey, copy)}`],
  ]);
}

function showHistory(visit: Visit, history: DocumentTimeline['history']): Html {
  return html`<ol class="line">${history.map(({ at, to, note }) => {
    const { by, ...why } = (note ?? {}) as Note;
    return html`<li class="to-${to}"><span class="soft">${moment(at, visit)}</span> <strong>${stateWords[to]}</strong>${showCause(why)}${by !== undefined && html`<div class="soft">por ${by}</div>`}</li>`;
  })}</ol>`;
}

/** Other versions may have written it (domain/document.ts). */
interface Note {
  code?: string;
  cause?: string;
  by?: string;
}

function showCause({ code, cause }: Note): Piece {
  const why = code ?? cause;
  if (why === undefined) return null;
  const message =
    code === undefined ? (causeWords as Readonly<Record<string, string>>)[why] : meaningOf(code);
  return message === undefined
    ? html`<div class="soft key">${why}</div>`
    : html`<div class="soft" title="${why}">${message}</div>`;
}

function showAttempts(visit: Visit, attempts: DocumentTimeline['attempts']): Html {
  if (attempts.length === 0) return soft('Todavía no se ha enviado nada.');
  return html`<ol class="line">${attempts.map(
    ({ n, createdAt, outcome, errors, accessKey, foreseenKey }) =>
      html`<li class="to-${outcome}"><span class="soft">${moment(createdAt, visit)}</span> <strong>Envío ${n}</strong>: ${outcomeWords[outcome]}
${accessKey !== null && html`<div class="key soft">${accessKey}</div>`}${accessKey === null && foreseenKey !== null && html`<div class="key soft">Clave prevista ${foreseenKey}</div>`}
${errors.length > 0 && html`<ul>${errors.map((error) => html`<li>${error}</li>`)}</ul>`}</li>`,
  )}</ol>`;
}

function showJobs(visit: Visit, jobs: readonly PendingJob[]): Html {
  if (jobs.length === 0) return soft('Ninguna.');
  return html`<ul class="line">${jobs.map(
    ({ kind, dueAt, attempts, reason, pause }) =>
      html`<li><strong>${jobWords[kind]}</strong> <span class="soft">${moment(dueAt, visit)}${attempts > 0 && html` · ${plural(attempts, 'intento fallido', 'intentos fallidos')}`}</span>${pause ? html`<p>${alertTexts(`account-${pause.cause}`).what}</p>` : reason !== null && html`<p>${waitWords(reason)}</p>`}</li>`,
  )}</ul>`;
}

function showAction(action: Action): Html {
  const sections = explainAction(action).map(
    ({ title, lines }): Piece =>
      html`<h3>${title}</h3>${
        lines.length > 0 &&
        html`<ul class="why">${lines.map((line) =>
          typeof line === 'string'
            ? html`<li>${line}</li>`
            : html`<li class="${line.tone}">${line.text}</li>`,
        )}</ul>`
      }`,
  );
  return html`<p><strong>${words.actions[action.action]}.</strong> ${action.reason}</p><div lang="es">${sections}</div>`;
}

/** It names the buyer: only for people who operate. */
async function documentContent(visit: Visit, document: Document): Promise<Html> {
  if (!mayDo(visit.role, pdfPage.role)) return soft(words.hidden);
  const { attempts, files } = visit.deps.ledger;
  const [sent, xml] = await Promise.all([attempts.ofDocument(document), files.get(document, 'xml')]);
  const last = sent.at(-1);
  const authorized = document.state === 'authorized';
  const at = (kind: string) => visit.at(`${documentPath(document.id)}/${kind}`);
  const folded = (title: string, text: string) => fold(title, html`<pre tabindex="0">${text}</pre>`);
  return html`${
    authorized &&
    html`<section aria-labelledby="pdf"><h2 id="pdf">${words.pdf}</h2>
<div class="acts"><a class="button plain" href="${at('pdf')}" target="_blank" rel="noopener">Abrir el PDF</a>
<a class="button plain" href="${at('xml')}?guardar">Descargar el XML</a></div>
<iframe class="onlywide" src="${at('pdf')}#navpanes=0" title="${words.pdf} ${document.accessKey}" loading="lazy"></iframe></section>`
  }
${last && folded('Contenido enviado (último envío)', prettyJson(last.body))}
${xml && folded('XML autorizado', prettyXml(Buffer.from(xml).toString('utf8')))}`;
}

export function prettyJson(text: string): string {
  try {
    return JSON.stringify(parseJson(text), null, 2);
  } catch {
    return text;
  }
}

// An unclosed tag or CDATA reaches to the end of the text, so that the pattern never backtracks.
const tokens = /<!\[CDATA\[(?:(?!\]\]>)[\s\S])*(?:\]\]>)?|<[^>]+>?|[^<]+/g;
const deepest = 20;

/** It also indents XML inside CDATA; for display only. */
export function prettyXml(text: string, depth = 0): string {
  const lines: string[] = [];
  let level = depth;
  let open = false;
  const put = (line: string) => lines.push('  '.repeat(Math.min(Math.max(0, level), deepest)) + line);
  for (const [token] of text.matchAll(tokens)) {
    if (token.trim() === '') continue;
    if (token.startsWith('<![CDATA[')) {
      const inner = token.slice(9, -3).trim();
      if (depth > 0 || !inner.startsWith('<')) lines[lines.length - 1] += token;
      else {
        put('<![CDATA[');
        lines.push(prettyXml(inner, level + 1));
        put(']]>');
      }
      open = false;
    } else if (token.startsWith('</')) {
      level -= 1;
      if (open) lines[lines.length - 1] += token;
      else put(token);
      open = false;
    } else if (token.startsWith('<')) {
      put(token);
      open = !/^<[?!]|\/>$/.test(token);
      if (open) level += 1;
    } else lines[lines.length - 1] += token.trim();
  }
  return lines.join('\n');
}

/** The files name the buyer: only for people who operate. */
const filePage = (kind: FileKind): PanelPage => ({
  path: `/documento/:id/${kind}`,
  role: 'operate',
  async show({ deps, params, query }) {
    const document = await deps.ledger.documents.get(params.id ?? '');
    const key = document?.state === 'authorized' ? document.accessKey : null;
    const bytes = document && key !== null ? await deps.file(document, key, kind) : null;
    // Plain text: the document's page shows it in an iframe.
    if (!bytes || key === null)
      return {
        bytes: Buffer.from(words.away),
        type: 'text/plain; charset=utf-8',
        name: 'aviso.txt',
      };
    return { bytes, type: fileTypes[kind], name: `${key}.${kind}`, download: query.get('guardar') !== null };
  },
});

export const pdfPage = filePage('pdf');
export const xmlPage = filePage('xml');

export const orderPage: PanelPage = {
  path: '/pedido/:store/:id',
  role: 'read',
  async show(visit) {
    const { store = '', id = '' } = visit.params;
    const { settings, ledger } = visit.deps;
    const known = settings.stores.get(store);
    // The orders of a store that was removed from the config are found by their id.
    const [found] = known
      ? [{ platform: known.platform.name, shop: known.shop, orderId: id }]
      : (await ledger.finding.orders({ id, names: [] }, 20)).filter(({ storeId }) => storeId === store);
    const timeline = found && (await ledger.timelines.of(found));
    if (!timeline) return missing(visit);
    const { order, documents, jobs } = timeline;
    const actions = (order.decision ?? []) as Action[];
    const shown = actions.map((action) =>
      fold(`${kindNames[action.kind]}: ${words.actions[action.action]}`, showAction(action)),
    );
    return {
      title: `Pedido ${order.name}`,
      back: toFind,
      body: html`${pairs([
        ['Tienda', order.storeId],
        ['Total del pedido', money((order.snapshot as Order).total)],
        ['Leído de la tienda', moment(order.syncedAt, visit)],
      ])}
${section('comprobantes', 'Comprobantes', documents.length === 0 ? soft('Este pedido no tiene comprobantes.') : cards(documents.map((one) => documentCard(visit, one))))}
${section('corresponde', 'Lo que corresponde', shown.length === 0 ? soft(words.noPlan) : shown)}
${section('falta', words.pending, showJobs(visit, jobs))}`,
    };
  },
};

function documentCard(visit: Visit, past: DocumentTimeline): Html {
  const { document } = past;
  const { id, charged, total, reason, state } = document;
  const isOver = state === 'authorized' || state === 'cancelled';
  return card({
    heading: link(visit, documentPath(id), documentTitle(document)),
    chip: stateChip(document),
    facts: [money(total ?? charged), moment(document.updatedAt, visit)],
    body: reason !== null && html`<p>${reason}</p>`,
    acts: !isOver && documentButtons(visit, document, { small: true, past }),
  });
}

const words = {
  /** A sentence under the heading. */
  states: {
    held: 'No se ha enviado: falta algo que el sistema no puede decidir.',
    ready: 'Tiene su número y saldrá en su turno.',
    sending: 'Se está enviando al servicio.',
    processing: 'El servicio la recibió; se espera la autorización del SRI.',
    uncertain: 'Se perdió una respuesta: se consulta qué pasó antes de hacer nada más, y conserva su número.',
    authorized: 'El SRI la autorizó.',
    rejected: 'El servicio o el SRI no la aceptó; conserva su número.',
    manual: 'No hay vía automática: una persona decide qué se hace.',
    cancelled: 'Se descartó antes de enviarse: nunca llegó al SRI.',
  },
  annulled: (when: Piece) =>
    html`Figura ANULADO en el portal del SRI (visto ${when}): no admite nota de crédito. Si la venta sigue en pie, emita a mano otro documento.`,
  rounded: (sent: Piece, authorised: Piece) =>
    html`El servicio redondeó el IVA a su manera: se envió por ${sent} y está autorizado por ${authorised}. Vale lo autorizado; no hay nada que corregir.`,
  pending: 'Tareas automáticas pendientes',
  noPlan: 'Todavía no se ha planificado.',
  pdf: 'PDF',
  away: 'En este momento no se puede obtener el archivo: el servicio no responde. Vuelva a intentarlo en unos minutos.',
  hidden: 'El contenido del documento lleva datos del comprador: lo ven quienes operan o configuran.',
  actions: { emit: 'Emitir', wait: 'Esperar', hold: 'Retener', manual: 'A mano', nothing: 'Nada que hacer' },
};
