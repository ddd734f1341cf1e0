import { z } from 'zod';
import { orderSubject } from '../domain/job.ts';
import { owner } from '../domain/settings.ts';
import { defineOperation, field, fields } from './operation.ts';

const which = {
  order: fields.order,
  store: fields.store('de qué tienda, si varias tienen ese pedido'),
};

export const pending = defineOperation({
  name: 'pending',
  title: 'Lo que requiere atención',
  description:
    'Muestra los documentos retenidos, rechazados o por decidir, cada uno con su motivo, los avisos abiertos y las cuentas en pausa. Los más antiguos primero.',
  role: 'read',
  changes: false,
  tool: true,
  input: z.object({ store: fields.store('solo esta tienda; por defecto, todas') }),
  async run(context, asked) {
    const { pendingNow } = await import('./run/pending.ts');
    return pendingNow(context, asked);
  },
});

export const explain = defineOperation({
  name: 'explain',
  title: 'El historial de un pedido',
  description:
    'Cuenta todo lo que se sabe de un pedido: qué le corresponde y por qué, cada envío, cada cambio de estado y lo que falta; sin datos del comprador.',
  role: 'read',
  changes: false,
  tool: true,
  input: z.object(which),
  async run(context, asked) {
    const { explainOrder } = await import('./run/order-timeline.ts');
    return explainOrder(context, asked);
  },
});

export const syncOrder = defineOperation({
  name: 'sync-order',
  title: 'Actualizar un pedido desde la tienda',
  description:
    'Lee un pedido de su tienda otra vez y emite lo que le corresponde, la factura y las notas de crédito.',
  planned:
    'Lee el pedido de la tienda ahora y dice qué documentos llevaría, con totales e impuestos, o por qué no.',
  role: 'operate',
  changes: true,
  form: { as: 'listed' },
  tool: true,
  input: z.object(which),
  async look(context, asked) {
    const { planNow } = await import('./run/order-timeline.ts');
    return planNow(context, asked);
  },
  async run({ jobDeps, ledger, stores }, asked) {
    const { anyOrder, theStore } = await import('./run/facts.ts');
    const { freeJobs } = await import('../jobs/retry.ts');
    const { enqueueSync } = await import('../jobs/enqueue.ts');
    const { name, key } = await anyOrder(ledger, stores, asked);
    const store = theStore(stores, key);
    await freeJobs(jobDeps, { kind: 'sync-order', subjects: [orderSubject(key)] });
    await enqueueSync(jobDeps.ledger, { ...key, storeId: store.id }, jobDeps.clock.now());
    const message = `El pedido ${name} se lee otra vez y lo que le corresponde se emite enseguida; «facturapuente explain» muestra el resultado.`;
    return { done: true, message, subject: key.orderId, about: owner.shop(key) };
  },
});

export const identificationLink = defineOperation({
  name: 'identification-link',
  title: 'Enlace para el comprador',
  description:
    'Muestra el enlace donde el comprador de un pedido retenido da su identificación, y un texto para WhatsApp.',
  role: 'operate',
  changes: false,
  input: z.object(which),
  async run(context, asked) {
    const { identificationLink: linkFor } = await import('./run/links.ts');
    return linkFor(context, asked);
  },
});

export const supportBundle = defineOperation({
  name: 'support-bundle',
  title: 'Archivo para pedir ayuda',
  description:
    'Escribe un archivo con todo lo que pasó con un pedido y sin datos personales ni claves, para pedir ayuda.',
  role: 'configure',
  changes: false,
  input: z.object({
    ...which,
    out: field(z.string().min(1).max(4_096).optional(), {
      description: 'dónde escribirlo; por defecto soporte-<pedido>.json',
      value: 'archivo',
      terminalOnly: true,
    }),
  }),
  async run(context, asked) {
    const { writeBundle } = await import('./run/support-bundle.ts');
    return writeBundle(context, asked);
  },
});
