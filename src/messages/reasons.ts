import { documents } from './documents.ts';
import { buyerHolds } from './holds-buyer.ts';
import { laterHolds } from './holds-later.ts';
import { moneyHolds } from './holds-money.ts';
import { amountHolds } from './holds-order.ts';
import { refundHolds } from './holds-refund.ts';
import { taxHolds } from './holds-tax.ts';
import { type Group, type Message, type Params, type ParamsOf, say } from './message.ts';

/** They are planned again with every change of their order. */
export const holds = {
  title: 'Documentos que esperan a una persona',
  seen: 'En el pedido (nota o metafield `motivo`), en el panel, en `documents`, `explain`, `plan` y `rehearse`, con una frase que trae los datos del caso. Corregida la causa en la tienda o en la configuración, siguen solos; lo que dice «a mano» no puede hacerlo ningún programa.',
  entries: {
    ...buyerHolds,
    ...taxHolds,
    ...amountHolds,
    ...moneyHolds,
    ...refundHolds,
    ...laterHolds,
  },
} satisfies Group;

export const reasons = { ...holds.entries, ...documents.entries };

export type DocumentCode = keyof typeof reasons;

/** `message`: a sentence that was made before. */
export type Said =
  | { [C in DocumentCode]: [code: C, params: ParamsOf<(typeof reasons)[C]> & Params] }[DocumentCode]
  | [code: string, params: { message: string }];

export function meaningOf(code: string): string | undefined {
  const [means] = (reasons as Readonly<Record<string, Partial<Message>>>)[code] ?? [];
  return means && say(means);
}

/** A report about many documents shows a title, and how to keep more from coming. */
export interface Cause {
  title: string;
  resolution: string;
}

export function causeOf(code: string): Cause | null {
  const [means, fix, prevent]: Partial<Message> = Object.hasOwn(reasons, code)
    ? ((reasons as Readonly<Record<string, Message>>)[code] ?? [])
    : [];
  if (means === undefined || fix === undefined) return null;
  return { title: say(means).replace(/\.$/, ''), resolution: prevent ?? say(fix) };
}
