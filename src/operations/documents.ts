import { z } from 'zod';
import { type Document, documentKinds, documentNumber, documentStates } from '../domain/document.ts';
import { type Owner, owner } from '../domain/settings.ts';
import { type Context, defineOperation, field, fields, type Look } from './operation.ts';

// Each operation loads its code when it runs.

const which = {
  document: fields.document,
  store: fields.store('de qué tienda es el número, si varias lo usan'),
  kind: field(z.enum(documentKinds).optional(), {
    title: 'Tipo',
    description: 'qué documento es el número',
    value: 'tipo',
    labels: { factura: 'Factura', 'nota-credito': 'Nota de crédito' },
  }),
};

const subjectOf = (document: Document): { subject: string; about: Owner } => ({
  subject: document.id,
  about: owner.shop(document),
});

async function lookAt({ find }: Context, asked: Parameters<Context['find']>[0]): Promise<Look> {
  const { documentFacts } = await import('./run/facts.ts');
  const document = await find(asked);
  const { id, ambiente, version } = document;
  return { ambiente, input: { document: id }, seen: `${id} ${version}`, shown: documentFacts(document) };
}

export const documents = defineOperation({
  name: 'documents',
  title: 'Lista de documentos',
  description:
    'Lista los documentos del registro con su estado y el motivo de los que esperan a una persona.',
  role: 'read',
  whole: true,
  changes: false,
  input: z.object({
    state: field(z.array(z.enum(documentStates)).default([]), {
      title: 'Estados',
      description: 'solo estos estados; por defecto, todos',
      value: 'estado',
    }),
    limit: field(
      z
        .int('Es un número entero mayor que 0.')
        .min(1, 'Es un número entero mayor que 0.')
        .max(9_999_999, 'Es a lo sumo 9999999.')
        .default(50),
      {
        title: 'Cuántos',
        description: 'cuántos, los más nuevos primero',
        value: 'número',
      },
    ),
  }),
  async run({ jobDeps }, asked) {
    const { listDocuments } = await import('./run/document-list.ts');
    return listDocuments(jobDeps, asked);
  },
});

export const document = defineOperation({
  name: 'document',
  title: 'Un documento',
  description:
    'Muestra una factura o nota de crédito por su número, su clave de acceso o su id; sin datos del comprador.',
  role: 'read',
  changes: false,
  tool: true,
  input: z.object(which),
  async run({ find }, asked) {
    const { documentFacts, factsText } = await import('./run/facts.ts');
    const data = documentFacts(await find(asked));
    return { done: true, message: factsText(data), data };
  },
});

export const retry = defineOperation({
  name: 'retry',
  title: 'Intentar otra vez',
  description:
    'Intenta otra vez un documento retenido, rechazado o que espera a una persona, cuando la causa ya está corregida; nunca uno que pueda existir ya en el SRI.',
  role: 'operate',
  changes: true,
  form: { as: 'button' },
  tool: true,
  input: z.object(which),
  look: lookAt,
  async run({ jobDeps, find, by }, asked) {
    const { retryDocument } = await import('../jobs/retry.ts');
    const document = await find(asked);
    const { kind, message } = await retryDocument(jobDeps, document, by);
    return { done: wasDone(kind), message, ...subjectOf(document) };
  },
});

const wasDone = (kind: string): boolean => kind !== 'refused' && kind !== 'nothing';

export const accept = defineOperation({
  name: 'accept',
  title: 'Aceptar lo que dice la tienda',
  description:
    'Usted comprobó que lo que la tienda dice ahora es cierto: que es otra venta u otro reembolso con un id repetido, que se cobró el total de ahora, que la clave de acceso del pedido es de otra venta, o que se cobró aparte de los pedidos que venden lo mismo. Se factura así.',
  role: 'operate',
  changes: true,
  form: { as: 'button' },
  tool: true,
  input: z.object({
    ...which,
    seen: field(z.int().optional(), {
      description: 'la versión del documento que usted vio; si ya es otra, no se hace nada',
      value: 'versión',
      formRequired: true,
    }),
  }),
  look: lookAt,
  async run({ jobDeps, find, by }, asked) {
    const { acceptReading } = await import('../jobs/retry.ts');
    const document = await find(asked);
    const { kind, message } = await acceptReading(jobDeps, document, by, asked.seen);
    return { done: wasDone(kind), message, ...subjectOf(document), facts: { code: document.code } };
  },
});

export const newNumber = defineOperation({
  name: 'new-number',
  title: 'Autorizar otro número',
  description:
    'Usted responde por que la venta no tiene ningún comprobante en el servicio ni en el SRI: se pregunta una vez más y se emite con otro número.',
  role: 'configure',
  changes: true,
  input: z.object(which),
  async run({ jobDeps, find, by }, asked) {
    const { takeNewNumber } = await import('../jobs/retry.ts');
    const document = await find(asked);
    const { kind, message } = await takeNewNumber(jobDeps, document, by);
    return { done: wasDone(kind), message, ...subjectOf(document) };
  },
});

export const adopt = defineOperation({
  name: 'adopt',
  title: 'Ingresar la clave de acceso',
  description:
    'Da a un documento la clave de acceso con la que ya fue autorizado, cuando nadie más la conoce. Búsquelo por su número en el panel del servicio o en el portal del SRI; antes de aceptarla se comprueba que sea de este pedido.',
  role: 'configure',
  changes: true,
  form: { as: 'page', wantsFreshCode: true },
  input: z.object({
    document: fields.document,
    accessKey: field(
      z
        .string()
        .max(200)
        .transform((text) => text.replace(/\s/g, '')),
      {
        title: 'Clave de acceso',
        description: 'los 49 dígitos de la clave de acceso; los espacios no importan',
        value: 'clave',
        argument: true,
      },
    ),
    store: which.store,
    kind: which.kind,
    unverified: fields.flag(
      'el servicio no muestra este documento y usted comprobó en el portal del SRI que está autorizado y es de este pedido',
    ),
  }),
  async run({ jobDeps, find, by }, { accessKey, unverified, ...asked }) {
    const { takeKey } = await import('../jobs/take-key.ts');
    const document = await find(asked);
    const subject = subjectOf(document);
    const taken = await takeKey(jobDeps, document, { accessKey, confirmed: unverified, by });
    if (taken.kind === 'refused') return { done: false, message: taken.reason, ...subject };
    return { done: true, message: adopted(document, taken), ...subject, facts: { checked: taken.checked } };
  },
});

function adopted(document: Document, { kind, checked }: { kind: string; checked: boolean }): string {
  const what = `${document.kind === 'factura' ? 'La factura' : 'La nota de crédito'} ${documentNumber(document)} del pedido ${document.orderName}`;
  const next = 'Con facturapuente start en marcha se escribe en el pedido.';
  if (kind === 'processing')
    return `${what} está en proceso: se seguirá preguntando al servicio por ella. ${next}`;
  const how = checked ? 'comprobada con su XML' : 'sin comprobar, por cuenta de quien dio la clave';
  return `${what} queda autorizada, ${how}. ${next}`;
}

export const reprocess = defineOperation({
  name: 'reprocess',
  title: 'Reprocesar en el SRI',
  description:
    'Pide al servicio que entregue otra vez al SRI un documento rechazado, con su misma clave, cuando la causa no estaba en el documento.',
  role: 'operate',
  changes: true,
  form: { as: 'button' },
  input: z.object(which),
  async run({ jobDeps, find, by }, asked) {
    const { reprocessByHand } = await import('../jobs/retry.ts');
    const document = await find(asked);
    const refused = await reprocessByHand(jobDeps, document, by);
    const message = refused ?? 'Se pide al servicio que la entregue otra vez al SRI, con su misma clave.';
    return { done: refused === null, message, ...subjectOf(document) };
  },
});

export const askBuyer = defineOperation({
  name: 'ask-buyer',
  title: 'Escribir otra vez al comprador',
  description: 'Envía otra vez al comprador de un pedido retenido el correo que le pide su identificación.',
  role: 'operate',
  changes: true,
  form: { as: 'button' },
  tool: true,
  input: z.object(which),
  look: lookAt,
  async run({ jobDeps, find }, asked) {
    const { mailAgain } = await import('../jobs/ask-buyer.ts');
    const document = await find(asked);
    const refused = await mailAgain(jobDeps, document);
    const message = refused ?? `El correo para el comprador del pedido ${document.orderName} sale enseguida.`;
    return { done: refused === null, message, ...subjectOf(document) };
  },
});

const text = (description: string, value: string) =>
  field(z.string().max(400).default(''), { description, value });

export const identify = defineOperation({
  name: 'identify',
  title: 'Ingresar la identificación',
  description: 'Guarda la identificación del comprador de un pedido retenido, y su factura sale enseguida.',
  role: 'operate',
  changes: true,
  input: z.object({
    document: fields.document,
    type: field(z.enum(['cedula', 'ruc', 'pasaporte', 'exterior']).nullable().default(null), {
      description: 'qué identificación es',
      value: 'tipo',
    }),
    id: text('su número', 'número'),
    name: text('nombres y apellidos, o razón social', 'nombre'),
    email: text('correo para la factura', 'correo'),
  }),
  async run({ jobDeps, find, by }, { document: id, ...given }) {
    const { answerFor } = await import('../jobs/ask-buyer.ts');
    const document = await find({ document: id });
    const subject = subjectOf(document);
    const answered = await answerFor(jobDeps, document, { given, by });
    if (answered.kind === 'refused') return { done: false, message: answered.message, ...subject };
    if (answered.kind === 'wrong')
      return { done: false, message: Object.values(answered.flaws).join(' '), ...subject };
    const message = `La identificación del pedido ${document.orderName} queda guardada y su factura sale enseguida.`;
    return { done: true, message, ...subject, facts: { type: answered.type } };
  },
});

export const showLinks = defineOperation({
  name: 'links show',
  title: 'Enlaces del documento',
  description: 'Muestra los enlaces de un documento que sirven ahora.',
  role: 'operate',
  changes: false,
  input: z.object(which),
  async run({ jobDeps, find }, asked) {
    const { linksAnswer } = await import('./run/links.ts');
    return linksAnswer(jobDeps, await find(asked));
  },
});

export const revokeLinks = defineOperation({
  name: 'links revoke',
  title: 'Anular enlaces',
  description: 'Anula todos los enlaces entregados de un documento y escribe los nuevos en el pedido.',
  role: 'configure',
  changes: true,
  form: { as: 'button' },
  input: z.object(which),
  async run({ jobDeps, find }, asked) {
    const { revokeLinks: revoke } = await import('../jobs/files.ts');
    const document = await find(asked);
    await revoke(jobDeps, document);
    const { linksAnswer } = await import('./run/links.ts');
    const { data } = linksAnswer(jobDeps, await find({ document: document.id }));
    return { done: true, message: 'Los enlaces entregados ya no sirven.', data, ...subjectOf(document) };
  },
});
