import type { Outcome } from '../faults/schema.ts';

/**
 * Buyers whose documents end as the table says, in every account and environment. Each is known by a cédula
 * that passes its check digit and belongs to no person (245990 and the code in three digits), by the RUC
 * made of it (the cédula and 001), and by the passport `SRI-` and the code.
 */
export interface MagicBuyer {
  cedula: string;
  pasaporte: string;
  /** True when reprocessing succeeds: the cause lies outside the document and is gone by then. */
  once: boolean;
  resultado: Outcome['resultado'];
  codigo?: number;
  estado?: 4 | 9;
  /** Milliseconds of the sandbox's clock in process before it ends. */
  enProcesoMs?: number;
  says: string;
}

const hour = 60 * 60 * 1000;
const authorised = { resultado: 'autorizado', once: false } as const;
const refused = { resultado: 'error', once: false } as const;
/** What the issuer or the authority puts right without touching the document. */
const curable = { resultado: 'error', once: true } as const;

/** The one table of magic buyers. */
export const magicBuyers: readonly MagicBuyer[] = [
  { cedula: cedula(4), pasaporte: 'SRI-4', ...authorised, estado: 4, says: 'Autorizado (4)' },
  { cedula: cedula(9), pasaporte: 'SRI-9', ...authorised, estado: 9, says: 'Autorizado (9)' },
  error(59, authorised, 'Autorizado con la advertencia 59: la identificación no existe'),
  error(35, refused, 'Devuelto: documento inválido'),
  error(43, refused, 'Devuelto: clave de acceso registrada'),
  error(45, refused, 'Devuelto: secuencial registrado'),
  error(65, refused, 'Devuelto: fecha de emisión extemporánea'),
  error(50, curable, 'Devuelto: error interno del SRI; al reprocesar se autoriza'),
  error(70, curable, 'Devuelto: clave de acceso en procesamiento; al reprocesar se autoriza'),
  error(46, refused, 'No autorizado: el RUC no existe'),
  error(52, refused, 'No autorizado: error en diferencias'),
  error(69, refused, 'No autorizado: identificación del receptor'),
  error(2, curable, 'No autorizado: RUC no activo; al reprocesar se autoriza'),
  error(10, curable, 'No autorizado: establecimiento clausurado; al reprocesar se autoriza'),
  error(37, curable, 'No autorizado: RUC sin autorización de emisión; al reprocesar se autoriza'),
  error(39, curable, 'No autorizado: firma inválida; al reprocesar se autoriza'),
  error(40, curable, 'No autorizado: error en el certificado; al reprocesar se autoriza'),
  error(56, curable, 'No autorizado: establecimiento cerrado; al reprocesar se autoriza'),
  {
    ...{ cedula: cedula(101), pasaporte: 'SRI-101', ...authorised, enProcesoMs: 3 * hour },
    says: 'Tres horas en procesamiento (del reloj del sandbox) y luego autorizado',
  },
  {
    ...{ cedula: cedula(102), pasaporte: 'SRI-102', ...refused, codigo: 35, enProcesoMs: 3 * hour },
    says: 'Tres horas en procesamiento (del reloj del sandbox) y luego devuelto con 35',
  },
  {
    ...{ cedula: cedula(199), pasaporte: 'SRI-199', once: false, resultado: 'en_proceso' },
    says: 'En procesamiento para siempre',
  },
];

function error(codigo: number, ends: Pick<MagicBuyer, 'resultado' | 'once'>, says: string): MagicBuyer {
  return { cedula: cedula(codigo), pasaporte: `SRI-${codigo}`, ...ends, codigo, says };
}

function cedula(code: number): string {
  const digits = `245990${String(code).padStart(3, '0')}`;
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const product = Number(digits[i]) * (i % 2 === 0 ? 2 : 1);
    sum += product > 9 ? product - 9 : product;
  }
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

const byIdentification = new Map(
  magicBuyers.flatMap((buyer) => [
    [buyer.cedula, buyer],
    [`${buyer.cedula}001`, buyer],
    [buyer.pasaporte, buyer],
  ]),
);

/** How a magic buyer's document ends when it is sent for the `tries`th time; undefined for everybody else. */
export function magicOutcome(identificacion: string, tries: number): Outcome | undefined {
  const buyer = byIdentification.get(identificacion);
  if (!buyer || (buyer.once && tries > 1)) return undefined;
  const { resultado, codigo, estado = 4, enProcesoMs } = buyer;
  return { resultado, codigo, estado, enProcesoMs, informacionAdicional: '' };
}
