import { z } from 'zod';
import { ConfigError } from '../domain/errors.ts';
import { owner } from '../domain/scope.ts';
import type { StepDeps } from '../jobs/deps.ts';
import { forgetIn } from '../jobs/forget-buyer.ts';
import { type CommandTable, readInput } from './commands-input.ts';

const forget = z.strictObject({
  store: z.string().max(63),
  email: z.string().max(320).nullable(),
  phone: z.string().max(40).nullable(),
  orders: z.array(z.string().max(40)).max(1_000),
  by: z.string().max(200),
});

/** What buyers may ask of a merchant beside his shop. */
export function privacyCommands(steps: StepDeps): CommandTable {
  return {
    async 'forget-buyer'(input, { stores }) {
      const { store: id, email, phone, orders } = readInput(forget, input);
      const store = stores.get(id);
      if (!store) throw unknownStore(id);
      const mark = { email, phone, orders };
      const { report, open } = await forgetIn(steps, {
        platform: store.platform.name,
        shop: store.shop,
        mark,
      });
      const facts = { orders: report.orders.length, stays: report.stays.length, open };
      const done = report.orders.length > 0;
      return { done, says: sentenceOf(report, open), subject: id, about: owner.store(id), facts };
    },
  };
}

function sentenceOf(
  { orders, stays, why }: Awaited<ReturnType<typeof forgetIn>>['report'],
  open: number,
): string {
  const waits =
    open === 0
      ? ''
      : ` ${open} ${open === 1 ? 'pedido tiene' : 'pedidos tienen'} comprobantes en camino: repita mañana.`;
  if (orders.length === 0) return `No se borró nada: ningún pedido guardado es de ese comprador.${waits}`;
  const kept = stays.length === 0 ? '' : ` Se conservan ${stays.join(', ')}. ${why}`;
  return `Se borraron los datos del comprador de ${orders.length} ${orders.length === 1 ? 'pedido' : 'pedidos'}.${kept}${waits} Bórrelo también en la tienda: un pedido que allí vuelva a cambiar se lee otra vez.`;
}

function unknownStore(id: string): ConfigError {
  return new ConfigError(
    'unknown-store',
    `No hay ninguna tienda «${id}»: mire «facturapuente store list».`,
    `There is no store ${id}.`,
  );
}
