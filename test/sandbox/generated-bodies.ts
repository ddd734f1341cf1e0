import fc from 'fast-check';
import {
  type Contents,
  factura as facturaIn,
  type Kind,
  notaCredito as notaCreditoIn,
} from '../../sandbox/emulator/emission/kinds.ts';
import { today } from './support.ts';

// Bodies a client could send and the tax authority would authorise, of every shape the field tables allow.

// biome-ignore lint/suspicious/noExplicitAny: bodies are written as a client writes them, as plain JSON.
type Loose = Record<string, any>;

const unit = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...'abcdefghij KLMNOP 0123456789.,-/') },
  { weight: 2, arbitrary: fc.constantFrom(...'áéíóúüñÑÇß°€¿¡“”—', '\u00a0', '\u0301') },
  { weight: 1, arbitrary: fc.constantFrom('&', '<', '>', '"', "'", ']]>', '&amp;', '<!--', '\t', '%') },
  { weight: 1, arbitrary: fc.constantFrom('🌿', '👩🏽‍🌾', '𝄞', '漢', 'ع', '\u2028', '\u0085', '\ufffd') },
);
/** Up to `max` characters, never blank and never with a line break. */
export const text = (max: number) =>
  fc
    .oneof(
      { weight: 8, arbitrary: fc.array(unit, { maxLength: 20 }) },
      { weight: 1, arbitrary: fc.array(unit, { minLength: max, maxLength: max }) },
    )
    .map((units) => [...`x${units.join('')}`].slice(0, max).join(''));
export const digits = (count: number) => fc.stringMatching(new RegExp(`^[0-9]{${count}}$`));
export const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 3 });

/** Sometimes not there at all, as JSON leaves out what is undefined. */
export const record = (model: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Loose> =>
  fc.record(model).map((value) => JSON.parse(JSON.stringify(value)) as Loose);

const province = fc.integer({ min: 1, max: 24 }).map((n) => String(n).padStart(2, '0'));
const ruc = fc.tuple(province, digits(8)).map(([start, rest]) => `${start}${rest}001`);
const regime = fc.constantFrom<Loose>(
  {},
  { regimen_rimpe: true },
  { regimen_rimpe_popular: true },
  { regimen_rimpe: false, regimen_rimpe_popular: false },
);
const agent = fc.oneof(
  fc.constant<Loose>({}),
  fc
    .integer({ min: 1, max: 99_999_999 })
    .map((n) => ({ agente_retencion: true, numero_resolucion: String(n) })),
);

export const emisor = fc
  .tuple(
    record({
      nombre_comercial: text(300),
      razon_social: maybe(text(300)),
      ruc,
      codigo_establecimiento: digits(3),
      codigo_puntoemision: digits(3),
      direccion_matriz: text(300),
      direccion_establecimiento: text(300),
      obligado_contabilidad: fc.constantFrom('SI', 'NO'),
      contribuyente_especial: maybe(fc.stringMatching(/^[A-Za-z0-9]{3,13}$/)),
      calificacion_artesanal: maybe(text(50)),
      exportador_habitual: maybe(fc.boolean()),
      gran_contribuyente: maybe(fc.boolean()),
      fecha_emision: fc.constant(today),
    }),
    regime,
    agent,
  )
  .map((parts): Loose => Object.assign({}, ...parts));

export const identified = fc.oneof(
  fc.record({ tipo_identificacion: fc.constant('04'), identificacion: ruc }),
  fc.record({ tipo_identificacion: fc.constant('05'), identificacion: digits(10) }),
  fc.record({ tipo_identificacion: fc.constantFrom('06', '08'), identificacion: text(20) }),
);
export const comprador = (identity: fc.Arbitrary<Loose>) =>
  fc
    .tuple(
      identity,
      record({
        razon_social: text(300),
        direccion: text(300),
        telefono: maybe(text(300)),
        correo: maybe(text(300)),
      }),
    )
    .map((parts): Loose => Object.assign({}, ...parts));
export const anybody = fc.oneof(
  { weight: 5, arbitrary: identified },
  { weight: 1, arbitrary: fc.constant({ tipo_identificacion: '07', identificacion: '9999999999999' }) },
);

export const named = (max: number) =>
  fc.array(fc.record({ nombre: text(300), detalle: text(300) }), { minLength: 1, maxLength: max });
/** A number of so many decimals. */
export const decimal = (max: number, decimals: number) =>
  fc
    .tuple(fc.integer({ min: 0, max: max * 10 ** decimals }), fc.integer({ min: 0, max: decimals }))
    .map(([n, fewer]) => Math.floor(n / 10 ** fewer) / 10 ** (decimals - fewer));

const iceRates: Readonly<Record<number, number>> = { 3011: 150, 3073: 5, 3092: 15, 3610: 20.5, 3660: 35 };
const codes = Object.keys(iceRates).map(Number);

const item = fc
  .tuple(
    record({
      codigo_principal: maybe(text(25)),
      codigo_auxiliar: maybe(text(25)),
      descripcion: text(300),
      cantidad: decimal(500, 6),
      precio_unitario: decimal(2000, 6),
      tipoproducto: fc.constantFrom(1, 2),
      tipo_iva: fc.constantFrom(0, 2, 3, 4, 4, 4, 5, 6, 7, 8, 10),
      tipo_ice: maybe(fc.constantFrom(0, ...codes)),
      tipo_irbpnr: maybe(fc.constantFrom(0, 5001)),
      subsidio: maybe(decimal(5, 6)),
      unidad_medida: maybe(fc.integer({ min: 0, max: 99 })),
      detalles_adicionales: maybe(named(3)),
    }),
    fc.integer({ min: 0, max: 100 }),
    maybe(fc.integer({ min: -2, max: 2 })),
  )
  .map(([line, discount, off]) => {
    const gross = Math.floor(line.cantidad * line.precio_unitario * 100);
    const net = discount > 50 ? { ...line, descuento: Math.floor((gross * discount) / 100) / 100 } : line;
    // Stated totals are put in once the figures are known.
    return { line: net as Loose, off };
  });

interface Plan {
  body: Loose;
  lines: { line: Loose; off: number | undefined }[];
  /** Cents the stated figures are off; undefined: left to be computed. */
  base: number | undefined;
  valor: number | undefined;
  statedIce: boolean;
  pagos: number;
}

const plan = (
  head: Record<string, fc.Arbitrary<unknown>>,
  identity: fc.Arbitrary<Loose>,
): fc.Arbitrary<Plan> =>
  fc.record({
    body: record({
      emisor,
      ambiente: fc.constant(1),
      tipo_emision: maybe(fc.constant(1)),
      comprador: comprador(identity),
      informacion_adicional: maybe(named(14)),
      ...head,
    }),
    lines: fc.array(item, { minLength: 1, maxLength: 5 }),
    base: maybe(fc.integer({ min: -2, max: 2 })),
    valor: maybe(fc.integer({ min: -2, max: 2 })),
    statedIce: fc.boolean(),
    pagos: fc.integer({ min: 0, max: 3 }),
  });

const shift = (amount: string, off: number) => Math.max(0, Math.round(Number(amount) * 100) + off) / 100;

/** Fills in stated figures stage by stage, each from what the sandbox computes without it. */
function finish(kind: Kind, { body, lines, base, valor, statedIce, pagos }: Plan): Loose {
  const used = [...new Set(lines.map(({ line }) => line.tipo_ice as number | undefined))].filter(
    Boolean,
  ) as number[];
  const ice = used.map((code) => ({ codigo: '3', codigo_porcentaje: String(code), tarifa: iceRates[code] }));
  const whole: Loose = { ...body, items: lines.map(({ line }) => line), totales: ice };
  const figures = () => read(kind, whole).figures;
  const computed = figures().lines;
  whole.items = lines.map(({ line, off }, index) =>
    off === undefined
      ? line
      : { ...line, precio_total_sin_impuesto: shift(computed[index]?.total ?? '0', off) },
  );
  if (base !== undefined || valor !== undefined || statedIce) {
    whole.totales = figures().groups.flatMap((group, index): Loose[] => {
      const row = { codigo: group.codigo, codigo_porcentaje: group.codigoPorcentaje };
      if (group.codigo === '3' && !statedIce) return [{ ...row, tarifa: Number(group.tarifa) }];
      const amounts = {
        tarifa: Number(group.tarifa),
        base_imponible: shift(group.base, index === 0 ? (base ?? 0) : 0),
        valor: shift(group.valor, valor ?? 0),
      };
      return [{ ...row, ...amounts }];
    });
  } else if (ice.length === 0) delete whole.totales;
  if (kind.tipo === '01' && pagos > 0) {
    let left = Math.round(Number(figures().importeTotal) * 100);
    whole.pagos = Array.from({ length: pagos }, (_, index) => {
      const part = index === pagos - 1 ? left : Math.floor(left / 2);
      left -= part;
      return { tipo: [1, 16, 19, 20][index], total: part / 100, plazo: index * 30, tiempo: 'dias' };
    });
  }
  return whole;
}

/** The body as the description has it: a number, no totals, what each line pays of ICE. */
function withoutTotals({ totales, ...body }: Loose): Loose {
  const seen = new Set<number>();
  const plain = body.items.map(({ precio_total_sin_impuesto: _total, ...item }: Loose) => item);
  const { lines } = read(formerNotaCredito, { ...body, items: plain, totales }).figures;
  const items = plain.map(({ tipo_ice: code, ...rest }: Loose, index: number) => {
    // One line of each code: two of them round to two rates.
    const item = code === undefined || seen.has(code) ? rest : { ...rest, tipo_ice: code };
    seen.add(code);
    const rate = iceRates[item.tipo_ice];
    // Whole numbers until the last division: halves of a cent round up.
    const net = Math.round(Number(lines[index]?.total) * 100);
    return rate ? { ...item, valor_ice: Math.round((net * rate * 10) / 1000) / 100 } : item;
  });
  return { ...body, emisor: { ...body.emisor, secuencial: '7' }, items };
}

const totals = 'totals';
export const factura = facturaIn({ dialect: 'described', arithmetic: totals });
export const notaCredito = notaCreditoIn({ dialect: 'described', arithmetic: totals });
export const formerNotaCredito = notaCreditoIn({ dialect: 'former', arithmetic: totals });

type Priced = Extract<Contents, { tipo: '01' | '04' }>;

/** Reads a body as the emission route does. */
export function read(kind: Kind, body: unknown): Priced {
  const checked = kind.read(body, today);
  if ('errors' in checked) throw new Error(checked.errors.join('\n'));
  return checked.body as Priced;
}

export const facturaBodies = plan(
  {
    guiaremision: maybe(fc.constant('001-001-000000009')),
    placa: maybe(text(20)),
    codigoDoc: maybe(fc.constant('01')),
  },
  anybody,
).map((drawn) => finish(factura, drawn));

const modified = (types: readonly unknown[], numbers: readonly string[]) => ({
  documento_modificado: record({
    codigo_documento_sustento: fc.constantFrom(...types),
    numero_documento_sustento: fc.constantFrom(...numbers),
    fecha_documento_sustento: fc.constantFrom(today, '2024/02/29', '2016/06/01'),
    motivo: text(300),
    anula_comprobante: maybe(fc.constantFrom('SI', 'NO')),
  }),
});
const dashes = '001-001-000000123';
const noDashes = '001001000000123';
export const notaCreditoBodies = plan(modified([1, 3, 5], [noDashes]), identified).map((drawn) =>
  withoutTotals(finish(formerNotaCredito, drawn)),
);
export const formerNotaCreditoBodies = plan(modified(['01', 1, '03', 5], [dashes, noDashes]), identified).map(
  (drawn) => finish(formerNotaCredito, drawn),
);

const oddTexts = [
  'a\nb',
  'a\rb',
  '\u0007',
  '\ud83c',
  '\ufffe',
  '',
  ' ',
  '002',
  '12',
  'NAC-1',
  '1/2/2026',
  '🌿'.repeat(11),
];
const oddNumbers = [-1, 1e-7, 0.005, 1.0000001, 1e13, 123_456_789_012.5, 1e21, 99_999.5, 300.25];

/** The same body with one of its texts or numbers replaced by what somebody might send by mistake. */
export const spoilt = (bodies: fc.Arbitrary<Loose>): fc.Arbitrary<Loose> =>
  fc
    .tuple(bodies, fc.nat(), fc.constantFrom(...oddTexts), fc.constantFrom(...oddNumbers))
    .map(([body, where, oddText, oddNumber]) => {
      const copy = structuredClone(body);
      const places: (() => void)[] = [];
      const walk = (holder: Loose) => {
        for (const [name, value] of Object.entries(holder)) {
          if (typeof value === 'string') places.push(() => (holder[name] = oddText));
          else if (typeof value === 'number') places.push(() => (holder[name] = oddNumber));
          else if (typeof value === 'object') walk(value);
        }
      };
      walk(copy);
      places[where % places.length]?.();
      return copy;
    });
