import { buyerHolds } from './holds-buyer.ts';
import { laterHolds } from './holds-later.ts';
import { moneyHolds } from './holds-money.ts';
import { amountHolds } from './holds-order.ts';
import { refundHolds } from './holds-refund.ts';
import { taxHolds } from './holds-tax.ts';
import type { Group } from './message.ts';

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
