import { type Body, dayInEcuador, put } from '../bodies.ts';
import { agrees, type Check, differs, unseen } from '../check.ts';
import { createdKey } from '../context.ts';
import { compare, judge, refused, saw } from '../expectation.ts';
import { type Slip, slips } from './field-slips.ts';

const section = 'Campos de la factura';

/**
 * Spec, field tables of the factura: one field of a correct body is broken at a time, so that a refusal has one
 * possible reason. Nothing is reported when the correct body is refused.
 */
export const fieldChecks = (): readonly Check[] => slips().map(toCheck);

function toCheck({ path, what, row, value, also }: Slip): Check {
  const name = path.replace(/\.\d+/g, '');
  return {
    id: `factura-${name}-${what}`.replace(/[._\s]+/g, '-').toLowerCase(),
    section,
    row,
    title: `se rechaza si ${name} ${what}`,
    async run(context) {
      await context.reference();
      const { answer } = await context.emit((body) => {
        also?.(body);
        put(body, path, value);
      });
      return judge(answer, refused);
    },
  };
}

const creditNoteRequired = ['emisor', 'ambiente', 'comprador', 'items', 'documento_modificado'];

/** Spec, "Credit note (code 04) request": required top-level names and the date rule. */
export const creditNoteFieldChecks = (): readonly Check[] =>
  [
    ...creditNoteRequired.map((path) => ({ path, what: 'falta', value: undefined })),
    { path: 'emisor.fecha_emision', what: 'es de ayer', value: dayInEcuador(-1) },
  ].map(({ path, what, value }) => ({
    id: `nota-credito-${path}-${what}`.replace(/[._\s]+/g, '-'),
    section: 'Nota de crédito',
    row: 'Credit note (code 04) request',
    title: `se rechaza si ${path} ${what}`,
    async run(context) {
      const whole = await context.creditNote();
      if (!createdKey(whole.answer))
        return unseen('El servicio no aceptó la nota de crédito completa (A21).');
      const { answer } = await context.notaCredito((body) => put(body, path, value));
      return judge(answer, refused);
    },
  }));

const lenient: readonly { id: string; what: string; change(body: Body): void }[] = [
  {
    id: 'campo-desconocido',
    what: 'un campo desconocido',
    change: (body) => put(body, 'campo_que_no_existe', 1),
  },
  { id: 'null-en-opcional', what: 'null en un campo opcional', change: (body) => put(body, 'placa', null) },
  {
    id: 'numero-como-texto',
    what: 'un número como texto',
    change: (body) => put(body, 'items.0.cantidad', '2'),
  },
];

/** Where the sandbox is stricter than the field tables demand (assumption A15). */
export const strictnessChecks: readonly Check[] = lenient.map(({ id, what, change }) => ({
  id: `supuesto-${id}`,
  section,
  row: 'Field tables',
  inferred: 'A15',
  title: `se rechaza ${what}`,
  async run(context) {
    await context.reference();
    return compare((await context.emit(change)).answer, refused);
  },
}));

/** Whether a wrong clock or a wrong document is the cause (assumption A33). */
export const dateChecks: readonly Check[] = [
  {
    id: 'supuesto-fecha-rechazada',
    section,
    row: 'Key rules, fecha_emision',
    inferred: 'A33',
    title: 'el rechazo de otra fecha nombra fecha_emision, y la respuesta dice la hora del servicio (Date)',
    async run(context) {
      await context.reference();
      const { answer } = await context.emit((body) => put(body, 'emisor.fecha_emision', dayInEcuador(-1)));
      const { errors } = (answer.json ?? {}) as { errors?: unknown };
      const named = /fecha[\s_]*(de[\s_]*)?(la[\s_]*)?emisi[oó]n/i.test(JSON.stringify(errors ?? ''));
      const dated = !Number.isNaN(Date.parse(answer.date ?? ''));
      if (named && dated) return agrees('errors nombra la fecha de emisión; hay Date');
      return differs(
        'errors que nombran fecha_emision, y el encabezado Date',
        `${saw(answer)}, ${dated ? 'con' : 'sin'} Date`,
      );
    },
  },
];
