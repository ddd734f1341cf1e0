import { z } from 'zod';
import { type Document, type DocumentKind, documentNumber } from '../domain/document.ts';
import { type Html, html } from '../domain/text.ts';
import { flawSummary } from '../http/buyer-form.ts';
import { mayTakeNewNumber } from '../jobs/retry.ts';
import { adopt, newNumber } from '../operations/documents.ts';
import {
  actionForm,
  asTyped,
  checkbox,
  documentPath,
  documentTitle,
  facts,
  field,
  link,
  money,
  orderPath,
  quote,
} from './components.ts';
import { formPath } from './operations.ts';
import type { PanelAction, PanelAnswer, PanelPage, PanelView, Visit } from './visit.ts';

export const newNumberPage: PanelPage = {
  path: '/numero-nuevo/:id',
  role: 'configure',
  show: (visit) =>
    withStopped(visit, visit.params.id ?? '', async (document) =>
      newNumberView(visit, document, { confirmed: false, number: '', flaws: {} }),
    ),
};

const sent = z.object({
  documento: z.string().min(1).max(80),
  respondo: z.string().max(10).catch(''),
  numero: z.string().max(80).catch(''),
});

export const newNumberAction: PanelAction = {
  path: '/numero-nuevo',
  role: 'configure',
  wantsFreshCode: true,
  run(visit, form) {
    const { documento, respondo, numero: number } = sent.parse(form);
    return withStopped(visit, documento, async (document) => {
      const confirmed = respondo === 'si';
      const flaws = flawsOf(document, confirmed, number);
      if (Object.keys(flaws).length > 0) return newNumberView(visit, document, { confirmed, number, flaws });
      // The order's page shows the new document beside the old one; after a refusal, the document's page.
      const { message, done } = await visit.deps.carryOut(newNumber, { document: document.id });
      return { to: done ? orderPath(document) : documentPath(document.id), message, done };
    });
  },
};

async function withStopped(
  { deps: { ledger } }: Visit,
  id: string,
  go: (document: Document) => Promise<PanelAnswer>,
): Promise<PanelAnswer> {
  const document = await ledger.documents.get(id);
  const message = 'Ese documento no necesita otro número, o ya no.';
  if (!document) return { to: '', message, done: false };
  const [attempts, history] = await Promise.all([
    ledger.attempts.ofDocument(document),
    ledger.documents.history(document),
  ]);
  return mayTakeNewNumber(document, { attempts, history })
    ? go(document)
    : { to: documentPath(document.id), message, done: false };
}

type Flaws = { respondo?: string; numero?: string };

function flawsOf(document: Document, confirmed: boolean, number: string): Flaws {
  const known = documentNumber(document) ?? '';
  const digits = (text: string) => text.replace(/[\s-]/g, '');
  return {
    ...(!confirmed && { respondo: words.notConfirmed }),
    ...(digits(number) !== digits(known) && { numero: words.otherNumber(known) }),
  };
}

interface Filled {
  confirmed: boolean;
  number: string;
  flaws: Flaws;
}

function newNumberView(visit: Visit, document: Document, filled: Filled): PanelView {
  const number = documentNumber(document) ?? '';
  const { kind, reason } = document;
  const flaws = Object.entries(filled.flaws);
  return {
    title: words.title(document.orderName),
    status: flaws.length > 0 ? 422 : 200,
    back: [documentPath(document.id), 'Volver al documento'],
    body: html`${facts([documentTitle(document), money(document.charged), document.storeId])}
${flaws.length > 0 && flawSummary('notice bad', 'No se hizo nada todavía:', flaws)}
<div class="card narrow">${quote(reason)}
<h2>Antes de autorizar</h2><p>${words.look(number)}</p>
<p>${words.ifFound(kind)} ${link(visit, formPath(adopt, { document: document.id }), 'ingrese su clave de acceso')}.</p>
<h2>De qué se hace responsable</h2><ul class="said"><li>${words.twice(kind)}</li><li>${words.asked}</li><li>${words.gap(number)}</li><li>${words.kept(visit.user)}</li></ul>
${actionForm(visit, newNumberAction, {
  fields: { documento: document.id },
  label: 'Autorizar y facturar con otro número',
  look: 'entry',
  body: fields(document, number, filled),
})}</div>`,
  };
}

/** No field is filled in advance: the person confirms and types the number. */
function fields({ kind }: Document, known: string, { confirmed, number, flaws }: Filled): Html {
  const confirm = { id: 'respondo', required: true, 'aria-invalid': flaws.respondo !== undefined && 'true' };
  return html`${checkbox('respondo', words.confirm(kind), { isChecked: confirmed, more: confirm })}
${field({
  name: 'numero',
  label: 'Número que se deja sin usar',
  value: number,
  hint: words.hint(known),
  isFlawed: flaws.numero !== undefined,
  more: { ...asTyped, class: 'key', maxlength: 40, required: true },
})}`;
}

const sales: Record<DocumentKind, string> = { factura: 'esta venta', 'nota-credito': 'este reembolso' };

const words = {
  title: (order: string) => `Otro número para el pedido ${order}`,
  look: (number: string) =>
    `No se sabe si un envío con el número ${number} fue autorizado. Búsquelo en el panel del servicio y en el portal del SRI, por ese número y también por el comprador, el monto y el día.`,
  ifFound: (kind: DocumentKind) => `Si encuentra un comprobante de ${sales[kind]}, no pida otro número:`,
  twice: (kind: DocumentKind) =>
    `Si el comprobante existe de todos modos, ${sales[kind]} queda dos veces ante el SRI. El sistema no puede anular ninguno de los dos: eso se hace a mano en el portal del SRI, si todavía se puede.`,
  asked:
    'Antes de asignar el número se consulta una vez más al servicio por todo lo que se conoce de este documento. Si algo puede ser suyo, no se hace nada y se le indica por qué.',
  gap: (number: string) =>
    `El número ${number} queda sin usar, con su motivo, y eso no se puede deshacer. El pedido toma otro de la serie.`,
  kept: (who: string) =>
    `Quién lo autorizó (${who}), cuándo y la respuesta del servicio quedan en el historial del documento y en la auditoría.`,
  confirm: (kind: DocumentKind) =>
    `Busqué en el panel del servicio y en el portal del SRI, y me hago responsable: ${sales[kind]} no tiene ningún comprobante.`,
  hint: (number: string) => `Escríbalo usted: ${number}.`,
  notConfirmed:
    'Marque que buscó el comprobante y que se hace responsable; sin eso no se asigna otro número.',
  otherNumber: (number: string) => `Lo escrito no es el número de este documento, ${number}.`,
};
