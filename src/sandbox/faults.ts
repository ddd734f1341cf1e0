import { z } from 'zod';

const times = z.int().positive().optional();
const switched = z.union([z.literal(true).transform(() => ({})), z.strictObject({ times })]);
const late = z.union([
  z
    .int()
    .positive()
    .transform((ms) => ({ ms })),
  z.strictObject({ ms: z.int().positive(), times }),
]);
const failing = z.union([
  z
    .int()
    .min(400)
    .max(599)
    .transform((status) => ({ status })),
  z.strictObject({ status: z.int().min(400).max(599), times }),
]);

const outcome = z.strictObject({
  /** The buyer whose documents end this way. */
  identificacion: z.string(),
  resultado: z.enum(['autorizado', 'error', 'en_proceso']).default('error'),
  /** The authority's code; 59, 60, 62 and 68 are warnings beside an authorisation. */
  codigo: z.int().optional(),
  informacionAdicional: z.string().default(''),
  /** 9 instead of 4 for an authorised document. */
  estado: z.literal([4, 9]).default(4),
  /** Real milliseconds instead of `authorizeDelayMs`. */
  delayMs: z.int().nonnegative().optional(),
  times,
});

/**
 * One order of disturbance; several may stand together. All but `outcome` happen once unless `times` says
 * more; an `outcome` holds until it is cleared unless `times` limits it.
 */
export const faultSchema = z
  .strictObject({
    /** Answer late, after storing. */
    delayAnswerMs: late,
    /** Store, then break the connection without an answer. */
    dropAnswer: switched,
    /** Answer this status with `creado: false` and `claveacceso`, storing nothing. */
    failBeforeStoring: failing,
    /** Store, then answer 500 with `claveacceso`. */
    status500AfterStoring: switched,
    /** Store, then answer 502 with an HTML page. */
    htmlAnswer: switched,
    /** Write `creado` as the string "true" or "false". */
    creadoAsString: switched,
    /** Never send the next event. */
    dropWebhooks: switched,
    /** Send the next event twice, with one X-Service-Delivery. */
    duplicateWebhooks: switched,
    /** How the authority decides about one buyer's documents. */
    outcome: z.union([outcome.transform((one) => [one]), z.array(outcome)]),
  })
  .partial();

export type FaultInput = z.input<typeof faultSchema>;
type FaultSpec = z.output<typeof faultSchema>;
export type Outcome = z.output<typeof outcome>;
type Kind = Exclude<keyof FaultSpec, 'outcome'>;
export type Disturbance = { times?: number | undefined; ms?: number; status?: number };

export interface Faults {
  /** Adds disturbances; throws a ZodError on an unknown or misspelled one. */
  add(input: FaultInput): void;
  /** Uses one up: what to do now, or undefined. */
  take(kind: Kind): Disturbance | undefined;
  takeOutcome(identificacion: string): Outcome | undefined;
  /** What is still to come. */
  list(): { kind: string; left: number | null; detail: object }[];
  clear(): void;
}

/** The disturbances waiting to happen, each kind in the order it was added. */
export function openFaults(): Faults {
  let waiting: { kind: Kind | 'outcome'; left: number; detail: Disturbance | Outcome }[] = [];
  const use = (fits: (fault: (typeof waiting)[number]) => boolean) => {
    const fault = waiting.find(fits);
    if (!fault) return undefined;
    fault.left -= 1;
    if (fault.left <= 0) waiting = waiting.filter((other) => other !== fault);
    return fault.detail;
  };
  return {
    add(input) {
      const { outcome: outcomes = [], ...rest } = faultSchema.parse(input);
      for (const [kind, detail] of Object.entries(rest) as [Kind, Disturbance][]) {
        waiting.push({ kind, left: detail.times ?? 1, detail });
      }
      for (const detail of outcomes) {
        waiting.push({ kind: 'outcome', left: detail.times ?? Number.POSITIVE_INFINITY, detail });
      }
    },
    take: (kind) => use((fault) => fault.kind === kind) as Disturbance | undefined,
    takeOutcome: (identificacion) =>
      use(
        (fault) => fault.kind === 'outcome' && (fault.detail as Outcome).identificacion === identificacion,
      ) as Outcome | undefined,
    list: () =>
      waiting.map(({ kind, left, detail }) => ({ kind, left: Number.isFinite(left) ? left : null, detail })),
    clear() {
      waiting = [];
    },
  };
}
