import { expect } from 'vitest';
import { parse } from 'yaml';
import type { Order } from '../../../src/domain/order.ts';
import type { Action, PlanInput, PlannedDocument } from '../../../src/planner/action.ts';
import { plan } from '../../../src/planner/plan.ts';
import { piece, settingsOf } from '../../config/example.ts';
import { noon, store } from '../../support/orders.ts';

/** What a plan is made of; `policy` as a merchant writes it. */
export interface Given extends Partial<Omit<PlanInput, 'order' | 'documents' | 'store'>> {
  order: Order;
  documents?: readonly PlannedDocument[];
  policy?: object;
  issuer?: Partial<typeof store.issuer>;
}

/** A piece of advice in the words of the sentence, and the case once it was followed. */
export interface Advice {
  message: string;
  /** Given the sentence, for advice that is to be copied from it. `by hand`: what a person does outside, which no plan can see. */
  follow: 'by hand' | ((given: Given, sentence: string) => Given);
  /** "action code" of the same document afterwards; `gone`: nothing is asked any more. */
  becomes?: string;
}

export interface Advised {
  /** "code", or "code: of what" where a code has several sentences. */
  name: string;
  /** Where factura and nota de crédito have the code, each with a sentence. */
  kind?: Action['kind'];
  given: Given;
  advice: readonly Advice[];
}

/** A document that is held, the code of its sentence, and all that this sentence advises. */
export const advised = (name: string, given: Given, ...advice: Advice[]): Advised => ({
  name,
  given,
  advice,
});

export const codeOf = ({ name }: Advised): string => name.split(':')[0] ?? '';

export const gone = 'gone';

export const byHand = (message: string): Advice => ({ message, follow: 'by hand' });

/** The shop changes the order. */
export const inShop = (
  message: string,
  change: (order: Order) => Partial<Order>,
  becomes = 'emit paid',
): Advice => ({
  message,
  follow: (given) => ({ ...given, order: { ...given.order, ...change(given.order) } }),
  becomes,
});

/** The merchant writes a setting into `policy`. */
export const inPolicy = (message: string, policy: object, becomes = 'emit paid'): Advice => ({
  message,
  follow: (given) => ({ ...given, policy: { ...given.policy, ...policy } }),
  becomes,
});

/** The merchant copies the rule that stands in the sentence. */
export const copied = (message: string, becomes = 'emit paid', more: object = {}): Advice => ({
  message,
  follow: (given, sentence) => {
    const text = /\{ when: .*? then: \{[^{}]*(?:\{[^{}]*\})?[^{}]*\} \}/.exec(sentence)?.[0];
    if (text === undefined) throw new Error(`No rule in «${sentence}»`);
    return { ...given, policy: { ...given.policy, ...more, tax: { rules: [parse(text)] } } };
  },
  becomes,
});

/** «facturapuente retry», --accept: what it leaves in the ledger (src/jobs/retry.ts). */
export const accepted = (message: string, bound: Partial<Given>, becomes = 'emit paid'): Advice => ({
  message,
  follow: (given) => ({ ...given, ...bound }),
  becomes,
});

function plannedOf({ order, documents = [], policy = {}, issuer = {}, ...more }: Given): Action[] {
  const settings = settingsOf({ stores: { tienda: { ...piece.woo, policy } } });
  const written = settings.stores.get('tienda')?.policy;
  if (!written) throw new Error('The policy was refused.');
  const given = { ...store, issuer: { ...store.issuer, ...issuer }, policy: written };
  return plan({ order, documents, store: given, invoiceFrom: new Date(0), now: noon, ...more });
}

/** Commands in the polite form, with pronouns; what is forbidden («no agregue») is no advice. */
const commands = new RegExp(
  `(?<!\\bno (?:lo )?)(?<![\\p{L}])(${[
    'pida|escr[ií]ba(?:lo|la)?|corr[ií]ja(?:lo|la)?|confirme|deje|ind[ií]que(?:lo)?|as[ií]gnele|quite|agregue|emita|facture',
    'decida|reg[ií]stre(?:lo)?|devuelva|ac[eé]pte(?:lo)?|ponga|p[aá]se(?:lo)?|complete|revise|configure|elimine|permita|venda',
    'b[uú]sque(?:lo|la)?|consulte|anule|rest[aá]ure(?:lo)?|haga|marque|actualice|c[aá]mbie(?:lo)?|avise|compruebe|espere',
  ].join('|')})(?![\\p{L}])`,
  'giu',
);

/** The action on the document that `code` names. */
export function heldOf(advised: Advised): Action {
  const { kind, given } = advised;
  const code = codeOf(advised);
  const all = plannedOf(given);
  const held = all.find((action) => action.code === code && action.kind === (kind ?? action.kind));
  const found = all.map(({ action, code: answered, reason }) => `${action} ${answered}: ${reason}`);
  if (!held) throw new Error(`Nothing is ${code}: ${found.join('\n')}`);
  return held;
}

/** Follows every advice of the sentence about the document that `code` names, and finds it changed as promised. */
export function follow(advised: Advised): void {
  const { given, advice } = advised;
  const held = heldOf(advised);
  expect(untold(held.reason, advice), held.reason).toEqual([]);
  for (const { message, follow: followed, becomes } of advice) {
    expect(held.reason).toContain(message);
    if (followed === 'by hand') continue;
    const all = plannedOf(followed(given, held.reason));
    const after = all.find(
      ({ kind, identity }) => kind === held.kind && identity.sourceId === held.identity.sourceId,
    );
    if (becomes === gone) {
      expect(all.filter(({ action }) => action === 'hold' || action === 'manual')).toEqual([]);
      continue;
    }
    expect(`${after?.action} ${after?.code}`, `«${message}»: ${after?.reason}`).toBe(becomes);
    expect(after?.reason).not.toBe(held.reason);
  }
}

/** Commands of the sentence that no advice of the case follows. */
function untold(sentence: string, advice: readonly Advice[]): string[] {
  const spans = advice.flatMap(({ message }) => {
    const start = sentence.indexOf(message);
    return start < 0 ? [] : [[start, start + message.length] as const];
  });
  return [...sentence.matchAll(commands)].flatMap(({ 0: command, index }) =>
    spans.some(([start, end]) => start <= index && index < end) ? [] : [command],
  );
}

export const taxed = (title: string, rate: string | null, amount: string) => ({
  title,
  rate,
  amount,
  rateId: null,
});
