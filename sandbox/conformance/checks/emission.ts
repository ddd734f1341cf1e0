import { type Body, put } from '../bodies.ts';
import { agrees, type Check, differs, unseen } from '../check.ts';
import { createdKey } from '../context.ts';
import { compare, creditEmitted, emitted, judge, refused, saw } from '../expectation.ts';
import { lengths } from './field-slips.ts';

const section = 'Emisión';
const row = 'Factura (code 01) emission request';

/** Bodies the specification allows, each to be taken. */
const allowed: readonly { id: string; row: string; title: string; change(body: Body): void }[] = [
  {
    id: 'factura-minima',
    row,
    title: 'bastan los campos obligatorios',
    change(body) {
      const { pagos, informacion_adicional, ...rest } = body;
      for (const name of Object.keys(body)) delete body[name];
      Object.assign(body, rest);
      for (const item of body.items) delete item.codigo_principal;
    },
  },
  {
    id: 'factura-campos-al-maximo',
    row,
    title: 'se aceptan los textos con su longitud máxima, y totales y pagos dados',
    change(body) {
      body.items[0].detalles_adicionales = [{ nombre: '', detalle: '' }];
      for (const [path, max] of lengths) put(body, path, '1'.repeat(max));
      body.totales = [
        { codigo: '2', codigo_porcentaje: '4', base_imponible: 20, tarifa: 15, valor: 3 },
        { codigo: '2', codigo_porcentaje: '0', base_imponible: 5, tarifa: 0, valor: 0 },
      ];
      body.pagos = [{ tipo: 20, total: 28, tiempo: 'dias', plazo: 30 }];
      Object.assign(body, {
        tipo_emision: 1,
        codigoDoc: '01',
        guiaremision: '001-001-000000001',
        placa: 'PBA1234',
      });
      Object.assign(body.items[0], { descuento: 0, precio_total_sin_impuesto: 20, unidad_medida: 1 });
      Object.assign(body.emisor, {
        ...{
          exportador_habitual: true,
          gran_contribuyente: true,
          agente_retencion: true,
          contabilidad: true,
        },
        ...{ regimen_rimpe: true, regimen_rimpe_popular: false },
      });
    },
  },
  {
    id: 'catorce-adicionales',
    row: 'Limits, informacion_adicional entries',
    title: 'se aceptan 14 entradas en informacion_adicional',
    change: (body) => put(body, 'informacion_adicional', additional(14)),
  },
  {
    id: 'tipo-emision-2',
    row,
    title: 'se acepta tipo_emision 2 (contingencia)',
    change: (body) => put(body, 'tipo_emision', 2),
  },
  ...(
    [
      ['04', '1790016919001', 'RUC'],
      ['06', 'PRUEBA12345', 'pasaporte'],
      ['07', '9999999999999', 'consumidor final'],
    ] as const
  ).map(([tipo_identificacion, identificacion, name]) => ({
    id: `comprador-${tipo_identificacion}`,
    row: 'Buyer block, tipo_identificacion',
    title: `se acepta un comprador ${tipo_identificacion} (${name})`,
    change: (body: Body) => void Object.assign(body.comprador, { tipo_identificacion, identificacion }),
  })),
  {
    id: 'tipo-iva-2-3',
    row: 'Item block, tipo_iva',
    title: 'se aceptan los códigos de IVA 2 y 3',
    change(body) {
      body.items[0].tipo_iva = 2;
      body.items[1].tipo_iva = 3;
      delete body.pagos;
    },
  },
];

/** What the described nota de crédito has no room for; a service may be milder. */
const creditSlips: readonly { id: string; title: string; change(body: Body): void }[] = [
  {
    id: 'con-guiones',
    title: 'se rechaza un numero_documento_sustento con guiones',
    change({ documento_modificado: modified }) {
      const digits: string = modified.numero_documento_sustento;
      modified.numero_documento_sustento = `${digits.slice(0, 3)}-${digits.slice(3, 6)}-${digits.slice(6)}`;
    },
  },
  {
    id: 'tipo-como-texto',
    title: 'se rechaza un codigo_documento_sustento como texto',
    change: (body) => put(body, 'documento_modificado.codigo_documento_sustento', '01'),
  },
  {
    id: 'con-totales',
    title: 'se rechazan totales en una nota de crédito',
    change: (body) => put(body, 'totales', [{ codigo: '2', codigo_porcentaje: '4' }]),
  },
  {
    id: 'sin-secuencial',
    title: 'se rechaza una nota de crédito sin secuencial',
    change: (body) => put(body, 'emisor.secuencial', undefined),
  },
];

const additional = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ nombre: `Dato ${at + 1}`, detalle: 'valor' }));

/** What the emission route takes, and what it answers. */
export const emissionChecks: readonly Check[] = [
  {
    id: 'factura-correcta',
    section,
    row: 'Endpoints, POST /api/factura/emision',
    title: 'una factura correcta se registra y la respuesta trae todos sus campos',
    run: async (context) => judge((await context.first()).answer, emitted),
  },
  {
    id: 'estado-en-procesamiento',
    section,
    row: 'States, Electronic document',
    title: 'la respuesta trae estado "En procesamiento"',
    async run(context) {
      const { answer } = await context.reference();
      const { estado } = answer.json as { estado: unknown };
      return estado === 'En procesamiento' ? agrees() : differs('"En procesamiento"', JSON.stringify(estado));
    },
  },
  ...allowed.map(
    ({ id, row, title, change }): Check => ({
      ...{ id, section, row, title },
      async run(context) {
        await context.reference();
        return judge((await context.emit(change)).answer, emitted);
      },
    }),
  ),
  {
    id: 'quince-adicionales',
    section,
    row: 'Errors, 10',
    title: 'se rechazan 15 entradas en informacion_adicional',
    async run(context) {
      await context.reference();
      const { answer } = await context.emit((body) => put(body, 'informacion_adicional', additional(15)));
      return judge(answer, refused);
    },
  },
  {
    id: 'ruc-proveedor',
    section,
    row: 'Errors, 9',
    title: 'se rechaza RUC Proveedor en informacion_adicional',
    async run(context) {
      await context.reference();
      const { answer } = await context.emit((body) => {
        body.informacion_adicional = [{ nombre: 'RUC Proveedor', detalle: '1790016919001' }];
      });
      return judge(answer, refused);
    },
  },
  {
    id: 'cuerpo-ilegible',
    section,
    row: 'Endpoints, POST /api/factura/emision; Errors, 1',
    title: 'un cuerpo que no es JSON se responde con creado=false y errors',
    async run({ service }) {
      const answer = await service.ask({ method: 'POST', path: '/api/factura/emision', text: '{"emisor":' });
      // The table names 400 and sentence 1 says 200: both are shown.
      return judge(answer, {
        ...refused,
        says: 'HTTP 400 o 200 con creado=false y errors como lista de textos',
        status: answer.status === 400 ? 400 : 200,
      });
    },
  },
  {
    id: 'supuesto-emision-estado',
    section,
    row: 'Electronic document, emission response fields',
    inferred: 'A9',
    title: 'creado es un booleano también cuando la factura se rechaza',
    async run(context) {
      await context.reference();
      const { answer } = await context.emit((body) => put(body, 'ambiente', 3));
      const { creado } = (answer.json ?? {}) as { creado?: unknown };
      return creado === false
        ? agrees('creado: boolean')
        : differs('creado: boolean', `creado: ${typeof creado}`);
    },
  },
  {
    id: 'supuesto-nota-credito',
    section: 'Nota de crédito',
    row: 'Credit note (code 04) request',
    inferred: 'A21',
    title: 'una nota de crédito como está descrita en público se registra, con clave e id en la respuesta',
    async run(context) {
      const { answer } = await context.creditNote();
      return createdKey(answer) ? compare(answer, creditEmitted) : differs(creditEmitted.says, saw(answer));
    },
  },
  ...creditSlips.map(
    ({ id, title, change }): Check => ({
      id: `supuesto-nota-credito-${id}`,
      section: 'Nota de crédito',
      row: 'Credit note (code 04) request',
      inferred: 'A21',
      title,
      async run(context) {
        if (!createdKey((await context.creditNote()).answer))
          return unseen('El servicio no aceptó la nota de crédito descrita (A21).');
        return compare((await context.notaCredito(change)).answer, refused);
      },
    }),
  ),
];
