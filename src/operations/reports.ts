import { z } from 'zod';
import { defineOperation, field, fields } from './operation.ts';

const day = z.iso.date('Escriba un día que exista, por ejemplo 2026-11-20.');

export const close = defineOperation({
  name: 'close',
  title: 'Cierre del día',
  description:
    'Cierra un día: compara, documento por documento y al centavo, lo que vendieron las tiendas, lo que se emitió y lo que tiene el servicio. Termina con 0 si cuadra, 1 si no, 2 si alguien no respondió o no se le puede preguntar.',
  role: 'operate',
  changes: false,
  audited: true,
  tool: true,
  unreachable: 2,
  input: z.object({
    date: field(day.optional(), {
      title: 'Día',
      description: 'el día en Ecuador (2026-11-20); por defecto, ayer',
      value: 'día',
    }),
    store: fields.store('solo esta tienda; por defecto, todas'),
    save: fields.flag('firma el cierre y lo guarda en el registro', { terminalOnly: true }),
  }),
  async run(context, asked) {
    const { closeOfDay } = await import('./run/close.ts');
    return closeOfDay(context, asked);
  },
});

export const verifyCloses = defineOperation({
  name: 'verify-closes',
  title: 'Comprobar los cierres',
  description:
    'Comprueba la cadena de los cierres guardados: que no falte ninguno y que cada uno esté firmado. Termina con 0 si está completa, 1 si no.',
  role: 'read',
  whole: true,
  changes: false,
  unreachable: 2,
  input: z.object({
    publicKey: fields.flag('solo imprime la clave pública con la que se comprueban', { terminalOnly: true }),
  }),
  async run(context, asked) {
    const { verifiedCloses } = await import('./run/close.ts');
    return verifiedCloses(context, asked);
  },
});

export const exportMonth = defineOperation({
  name: 'export',
  title: 'Exportar un mes',
  description:
    'Exporta un mes para el contador: un ZIP con el XML y el PDF de cada comprobante autorizado y las tablas de facturas, notas de crédito, IVA y huecos de numeración. Termina con 1 si falta algún archivo.',
  role: 'configure',
  whole: true,
  changes: false,
  audited: true,
  input: z.object({
    month: field(z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'Es un mes, por ejemplo 2026-11.'), {
      title: 'Mes',
      description: 'por ejemplo 2026-11',
      value: 'mes',
    }),
    out: field(z.string().min(1).max(4_096).optional(), {
      description: 'por defecto comprobantes-<mes>.zip en esta carpeta',
      value: 'archivo',
      terminalOnly: true,
    }),
    store: fields.store('solo esta tienda; por defecto, todas'),
    ruc: field(z.string().max(13).optional(), {
      title: 'RUC',
      description: 'solo este emisor; por defecto, todos',
      value: 'ruc',
    }),
    plain: fields.flag('tablas para programas (RFC 4180, punto decimal) en vez de para Excel'),
  }),
  async run({ exporting }, asked) {
    const { resolve } = await import('node:path');
    const out = resolve(asked.out ?? `comprobantes-${asked.month}.zip`);
    const data = await exporting.month({ ...asked, out });
    const what = `${data.facturas} facturas y ${data.creditNotes} notas de crédito en ${out}.`;
    if (data.missing === 0) return { done: true, message: what, data };
    const missing = `Faltan ${data.missing} archivos que ni el registro ni el servicio pudieron dar; están nombrados en faltantes.csv: repita la exportación más tarde.`;
    return { done: true, code: 1, message: `${what} ${missing}`, data };
  },
});
