import { z } from 'zod';
import type { Document } from '../../../domain/document.ts';
import type { Order } from '../../../domain/order.ts';
import type { Store } from '../../../domain/settings.ts';
import { isAsked } from '../../../jobs/buyer/ask-buyer.ts';
import { type AnswerFlaws, type GivenAnswer, readAnswer } from '../../../planner/identity/answer.ts';
import { command } from '../today/actions.ts';
import type { PanelAction, PanelAnswer, PanelPage, Visit } from '../visit.ts';
import { identifyView } from './form.ts';
import { identifyWords } from './words.ts';

/** An order that waits for what only its buyer can say. */
export interface Wanted {
  document: Document;
  order: Order;
  store: Store;
}

/** `/panel/identificacion/:id`: a person of the shop gives what only the buyer could say, or gets the buyer's link. */
export const identifyPage: PanelPage = {
  path: '/identificacion/:id',
  role: 'operate',
  async show(visit) {
    const wanted = await findWanted(visit, visit.params.id ?? '');
    if (!wanted) return { to: '', says: identifyWords.es.over, done: false };
    return identifyView(visit, identifyAction, wanted, { given: nothing, flaws: {} });
  },
};

const nothing: GivenAnswer = { type: 'cedula', id: '', name: '', email: '' };
const text = z.string().max(400).catch('');
const sent = z.object({
  documento: z.string().min(1).max(80),
  tipo: z.enum(['cedula', 'ruc', 'pasaporte', 'exterior']).nullable().catch(null),
  identificacion: text,
  nombre: text,
  correo: text,
});

export const identifyAction: PanelAction = {
  path: '/identificacion',
  role: 'operate',
  async run(visit, form): Promise<PanelAnswer> {
    const { documento, tipo: type, identificacion: id, nombre: name, correo: email } = sent.parse(form);
    const wanted = await findWanted(visit, documento);
    if (!wanted) return { to: '', says: identifyWords.es.over, done: false };
    const given = { type, id, name, email };
    const flaws = flawsOf(given, wanted.order);
    if (flaws) return identifyView(visit, identifyAction, wanted, { given, flaws });
    return command(visit, 'identify', { document: documento, ...given }, '');
  },
};

function flawsOf(given: GivenAnswer, order: Order): AnswerFlaws | null {
  const read = readAnswer(given, order);
  return read.ok ? null : read.flaws;
}

async function findWanted({ deps }: Visit, id: string): Promise<Wanted | null> {
  const document = await deps.ledger.documents.get(id);
  if (!document || !isAsked(document)) return null;
  const store = [...deps.settings.stores.values()].find(
    ({ platform, shop }) => platform.name === document.platform && shop === document.shop,
  );
  const order = (await deps.ledger.orders.ofDocument(document))?.snapshot as Order | undefined;
  return store && order ? { document, order, store } : null;
}
