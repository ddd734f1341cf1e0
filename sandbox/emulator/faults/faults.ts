import { mask } from '../accounts/accounts.ts';
import { isoInEcuador, type SandboxClock } from '../clock.ts';
import { inSpanish } from '../emission/validation.ts';
import { type Chance, openChance } from './chance.ts';
import {
  type Chaos,
  type Disturbance,
  type FaultInput,
  type FaultKind,
  faultSchema,
  type Outcome,
} from './schema.ts';
import { means, type Place } from './scope.ts';

/** A disturbance that is still to come. `left` null: as often as it meets something. */
export interface WaitingFault {
  kind: string;
  left: number | null;
  /** When it ends, on the sandbox's clock. */
  until: string | null;
  detail: object;
}

/** A disturbance that has happened, and where. */
export interface StruckFault {
  at: string;
  kind: string;
  operacion: string | null;
  evento: string | null;
  /** The API key, masked. */
  clave: string | null;
  claveacceso: string | null;
  /** True when chance chose it. */
  chaos: boolean;
}

/** The disturbances of one request or event: each `take` uses one up and says what to do now. */
export type Strike = (kind: FaultKind, more?: Place) => Disturbance | undefined;

export interface Faults {
  /** Adds disturbances; throws a ZodError on an unknown or misspelled one, a RangeError on an unknown operation. */
  add(input: FaultInput): void;
  /** To be called once for each request and each event. */
  meet(place: Place): Strike;
  takeOutcome(place: Place): Outcome | undefined;
  /** What is still to come. */
  list(): WaitingFault[];
  /** What has happened, oldest first; the last thousand. */
  struck(): StruckFault[];
  /** Forgets what is still to come. */
  clear(): void;
  /** Forgets that, and what has happened. */
  reset(): void;
}

interface Order {
  kind: FaultKind | 'outcome' | 'chaos';
  left: number;
  until: number;
  detail: Disturbance | Outcome | Chaos;
  chance?: Chance;
}

const keptStrikes = 1_000;

/** The disturbances waiting to happen, each kind in the order it was added, and those that happened. */
export function openFaults(clock: SandboxClock, operations: () => readonly string[]): Faults {
  let waiting: Order[] = [];
  let strikes: StruckFault[] = [];
  const standing = () => {
    const now = clock.now().getTime();
    if (waiting.some(({ until }) => until <= now)) waiting = waiting.filter(({ until }) => until > now);
    return waiting;
  };
  const use = (order: Order | undefined, kind: string, place: Place) => {
    if (!order) return undefined;
    order.left -= 1;
    if (order.left <= 0) waiting = waiting.filter((other) => other !== order);
    strikes.push({
      at: isoInEcuador(clock.now()),
      kind,
      operacion: place.operacion ?? null,
      evento: place.evento ?? null,
      clave: place.apiKey === undefined ? null : mask(place.apiKey),
      claveacceso: place.claveacceso ?? null,
      chaos: order.kind === 'chaos',
    });
    if (strikes.length > keptStrikes * 2) strikes = strikes.slice(-keptStrikes);
    return order.detail;
  };
  const order = (kind: Order['kind'], detail: Order['detail'], byDefault: number): Order => ({
    kind,
    left: detail.times ?? (detail.durante === undefined ? byDefault : Number.POSITIVE_INFINITY),
    until: detail.durante === undefined ? Number.POSITIVE_INFINITY : clock.now().getTime() + detail.durante,
    detail,
  });
  return {
    add(input) {
      const { outcome = [], chaos, ...rest } = faultSchema.parse(input, { error: inSpanish });
      const orders = (Object.entries(rest) as [FaultKind, Disturbance][]).map(([kind, detail]) =>
        order(kind, detail, 1),
      );
      orders.push(...outcome.map((detail) => order('outcome', detail, Number.POSITIVE_INFINITY)));
      if (chaos) {
        orders.push({ ...order('chaos', chaos, Number.POSITIVE_INFINITY), chance: openChance(chaos) });
      }
      for (const { detail } of orders) knownOperation(detail, operations());
      waiting.push(...orders);
    },
    meet(place) {
      const drawn = standing().flatMap((one) => {
        const kind = one.chance?.draw(place);
        return kind ? [{ kind, order: one }] : [];
      });
      return (kind, more) => {
        const here = { ...place, ...more };
        const scripted = standing().find((one) => one.kind === kind && means(kind, one.detail, here));
        if (scripted) return use(scripted, kind, here);
        const at = drawn.findIndex((one) => one.kind === kind);
        const chosen = drawn[at];
        if (!chosen || (kind === 'status500AfterStoring' && !here.stored)) return undefined;
        drawn.splice(at, 1);
        use(chosen.order, kind, here);
        return { ms: (chosen.order.detail as Chaos).ms };
      };
    },
    takeOutcome(place) {
      const fits = ({ kind, detail }: Order) => {
        const { identificacion, clave } = detail as Outcome;
        if (kind !== 'outcome' || (clave !== undefined && clave !== place.apiKey)) return false;
        return identificacion === undefined || identificacion === place.identificacion;
      };
      return use(standing().find(fits), 'outcome', place) as Outcome | undefined;
    },
    list: () =>
      standing().map(({ kind, left, until, detail }) => ({
        kind,
        left: Number.isFinite(left) ? left : null,
        until: Number.isFinite(until) ? isoInEcuador(new Date(until)) : null,
        detail: detail.clave === undefined ? detail : { ...detail, clave: mask(detail.clave) },
      })),
    struck: () => strikes.slice(-keptStrikes),
    clear() {
      waiting = [];
    },
    reset() {
      waiting = [];
      strikes = [];
    },
  };
}

function knownOperation({ operacion }: Disturbance, known: readonly string[]): void {
  if (operacion === undefined || operacion === '*' || known.includes(operacion)) return;
  throw new RangeError(`La operación ${operacion} no existe; use * o una de: ${known.join(', ')}.`);
}
