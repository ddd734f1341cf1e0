import { z } from 'zod';
import { defineOperation, field, fields } from './operation.ts';

const buyer = {
  store: fields.store('la tienda en la que compró, si lo pide él mismo'),
  email: field(z.string().max(320).optional(), {
    title: 'Correo',
    description: 'el correo con el que compró',
    value: 'correo',
  }),
  phone: field(z.string().max(40).optional(), {
    title: 'Teléfono',
    description: 'el teléfono con el que compró',
    value: 'teléfono',
  }),
  order: field(z.array(z.string().min(1).max(40)).max(1_000).default([]), {
    title: 'Pedidos',
    description: 'ids de sus pedidos en la tienda',
    value: 'id',
  }),
};

export const listRequests = defineOperation({
  name: 'privacy list',
  title: 'Solicitudes de compradores',
  description: 'Lista lo que los compradores pidieron a través de su tienda y lo que se hizo.',
  role: 'configure',
  whole: true,
  changes: false,
  input: z.object({}),
  async run(context) {
    const { listRequests: list } = await import('./run/privacy.ts');
    return list(context);
  },
});

export const exportBuyer = defineOperation({
  name: 'privacy export',
  title: 'Exportar los datos de un comprador',
  description: 'Escribe en un archivo los datos que se guardan de un comprador.',
  role: 'configure',
  whole: true,
  changes: false,
  audited: true,
  input: z.object({
    request: field(
      z
        .string()
        .regex(/^\d{1,18}$/, 'Es el número que da «privacy list».')
        .optional(),
      {
        title: 'Solicitud',
        description: 'el número que da «privacy list»',
        value: 'solicitud',
        argument: true,
      },
    ),
    ...buyer,
    out: field(z.string().min(1).max(4_096).optional(), {
      description: 'dónde se escribe; por defecto datos-comprador-<solicitud o tienda>.json',
      value: 'archivo',
      terminalOnly: true,
    }),
  }),
  async run(context, asked) {
    const { exportBuyer: write } = await import('./run/privacy.ts');
    return write(context, asked);
  },
});

export const eraseBuyer = defineOperation({
  name: 'privacy erase',
  title: 'Borrar los datos de un comprador',
  description: 'Borra de un comprador lo que la ley no obliga a conservar, y dice qué se conserva.',
  role: 'configure',
  changes: true,
  form: { as: 'listed', wantsFreshCode: true },
  input: z.object({
    ...buyer,
    store: field(z.string().min(1).max(63), {
      title: 'Tienda',
      description: 'la tienda en la que compró',
      value: 'tienda',
      store: true,
    }),
  }),
  async run(context, asked) {
    const { eraseBuyer: erase } = await import('./run/privacy.ts');
    return erase(context, asked);
  },
});
