import { z } from 'zod';

const milliseconds = z.int().positive();
/** Of every fault: how often it applies, how long it lasts (on the sandbox's clock), and for which API key. */
const common = {
  times: z.int().positive().optional(),
  durante: milliseconds.optional(),
  clave: z.string().min(1).optional(),
};
/** Which operation it strikes: an operationId, or `*` for every one. */
const answering = { ...common, operacion: z.string().min(1).optional() };

const switched = <S extends z.ZodRawShape>(shape: S) =>
  z.union([z.literal(true).transform(() => ({})), z.strictObject(shape)]);
const late = <S extends z.ZodRawShape>(shape: S) =>
  z.union([milliseconds.transform((ms) => ({ ms })), z.strictObject({ ms: milliseconds, ...shape })]);
const failed = z.union([z.literal(200), z.int().min(400).max(599)]);

const outcome = z.strictObject({
  /** The buyer whose documents end this way; left out: everybody's. */
  identificacion: z.string().optional(),
  resultado: z.enum(['autorizado', 'error', 'en_proceso']).default('error'),
  /** The authority's code; 59, 60, 62 and 68 are warnings beside an authorisation. */
  codigo: z.int().optional(),
  informacionAdicional: z.string().default(''),
  /** 9 instead of 4 for an authorised document. */
  estado: z.literal([4, 9]).default(4),
  /** Real milliseconds instead of `authorizeDelayMs`. */
  delayMs: z.int().nonnegative().optional(),
  /** Milliseconds of the sandbox's clock in process before it ends; stepping the clock ends it. */
  enProcesoMs: milliseconds.optional(),
  ...common,
});

/** What strikes a request and its answer. */
export const answerFaults = {
  /** Answer late. */
  delayAnswerMs: late(answering),
  /** Break the connection before anything is stored. */
  cutBeforeStoring: switched(answering),
  /** Store, then break the connection without an answer. */
  dropAnswer: switched(answering),
  /**
   * Answer this status storing nothing; an emission's answer names the `claveacceso` it would have had. 200 refuses in
   * the shape of validation errors.
   */
  failBeforeStoring: z.union([
    failed.transform((given) => ({ status: given })),
    z.strictObject({ status: failed, ...answering }),
  ]),
  /** Store, then answer 500 with `claveacceso`. Strikes emissions only. */
  status500AfterStoring: switched(answering),
  /** Store, then answer an HTML page, with 502 unless another status is given. */
  htmlAnswer: switched({ status: z.int().min(200).max(599).optional(), ...answering }),
  /** Store, then answer only the first half of the JSON. */
  brokenJson: switched(answering),
  /** Write `creado` as the string "true" or "false". Strikes emissions only. */
  creadoAsString: switched(answering),
  /** Answer the authorised XML with another value in the first element of this name. Strikes descargar_xml only. */
  spoilXml: switched({
    campo: z.string().regex(/^\w+$/).optional(),
    valor: z.string().optional(),
    ...common,
  }),
  /** Answer 429 with Retry-After, as if the minute's requests were spent. */
  tooManyRequests: switched({ retryAfterSeconds: z.int().positive().optional(), ...answering }),
};

/** What strikes the deliveries of an event. Wrong signatures spoil the first attempt only. */
export const eventFaults = {
  /** Never send the next event. */
  dropWebhooks: switched(common),
  /** Send the next event twice, with one X-Service-Delivery. */
  duplicateWebhooks: switched(common),
  /** Send the next event so many milliseconds of the sandbox's clock late. */
  delayWebhooksMs: late(common),
  /** Hold the next event back until one after it has gone out, a minute at most. */
  reorderWebhooks: switched(common),
  /** A wrong X-Service-Signature; V2 is right. */
  badSignatureV1: switched(common),
  /** A wrong X-Service-Signature-V2; the first one is right. */
  badSignatureV2: switched(common),
  /** Signed rightly, but ten minutes ago: beyond the 300 seconds a receiver may take. */
  staleTimestamp: switched(common),
};

export type AnswerKind = keyof typeof answerFaults;
export type EventKind = keyof typeof eventFaults;
export type FaultKind = AnswerKind | EventKind;
export const answerKinds = Object.keys(answerFaults) as AnswerKind[];
export const eventKinds = Object.keys(eventFaults) as EventKind[];

/** Disturbances by chance: the same seed disturbs the same requests and events, counted as they come. */
const chaos = z.strictObject({
  seed: z.int(),
  /** Of each request and each event, 0 to 1. */
  probability: z.number().min(0).max(1),
  kinds: z.array(z.enum([...answerKinds, ...eventKinds])).min(1),
  /** How late what is delayed comes. */
  ms: milliseconds.default(500),
  ...answering,
});

/**
 * One order of disturbance; several may stand together. All but `outcome` and `chaos` happen once unless
 * `times` or `durante` says more; those two hold until they are cleared unless limited.
 */
export const faultSchema = z
  .strictObject({
    ...answerFaults,
    ...eventFaults,
    /** How the authority decides about documents. */
    outcome: z.union([outcome.transform((one) => [one]), z.array(outcome)]),
    chaos,
  })
  .partial();

export type FaultInput = z.input<typeof faultSchema>;
export type Outcome = z.output<typeof outcome>;
export type Chaos = z.output<typeof chaos>;

/** One active fault of any kind. */
export interface Disturbance {
  times?: number | undefined;
  durante?: number | undefined;
  clave?: string | undefined;
  operacion?: string | undefined;
  identificacion?: string | undefined;
  ms?: number | undefined;
  status?: number | undefined;
  retryAfterSeconds?: number | undefined;
  campo?: string | undefined;
  valor?: string | undefined;
}
