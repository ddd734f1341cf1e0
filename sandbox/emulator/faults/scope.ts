import { type Disturbance, eventFaults, type FaultKind } from './schema.ts';

/** What a disturbance meets: a request, the deliveries of an event, or a document about to be decided. */
export interface Place {
  operacion?: string;
  /** An emission route: there all answer faults strike that name no operation. */
  emission?: boolean;
  /** A document was stored by this request. */
  stored?: boolean;
  apiKey?: string | undefined;
  claveacceso?: string | null | undefined;
  evento?: string;
  identificacion?: string;
}

/** Without an `operacion` these strike every operation, as the service's own limit does. */
const everywhere = ['tooManyRequests'];
/** Without an `operacion` these strike before a document is stored; all others after. */
const beforeStoring = ['failBeforeStoring', 'cutBeforeStoring', 'creadoAsString'];

export const isEventKind = (kind: string) => Object.hasOwn(eventFaults, kind);

/** True when a fault of this kind can happen here at all. */
export function canStrike(kind: FaultKind, place: Place): boolean {
  if (isEventKind(kind)) return place.evento !== undefined;
  if (place.operacion === undefined) return false;
  if (kind === 'status500AfterStoring') return place.emission === true && place.stored !== false;
  if (kind === 'spoilXml') return place.operacion === 'descargar_xml';
  return kind !== 'creadoAsString' || place.emission === true;
}

/** True when an order of this kind means this place. */
export function means(kind: FaultKind, order: Disturbance, place: Place): boolean {
  if (!canStrike(kind, place)) return false;
  if (order.clave !== undefined && order.clave !== place.apiKey) return false;
  if (isEventKind(kind)) return true;
  if (order.operacion !== undefined) return order.operacion === '*' || order.operacion === place.operacion;
  if (everywhere.includes(kind) || kind === 'spoilXml') return true;
  return place.emission === true && (beforeStoring.includes(kind) || place.stored === true);
}
