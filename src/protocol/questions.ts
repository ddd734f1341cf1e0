import type { Deciding } from './deciding.ts';
import type { EventOf, NamedKey, Purpose, PurposeOf, ServiceState, Stored } from './events.ts';

/** What follows from each answer. A purpose that has no such answer leaves it out. */
export interface Question<K extends Purpose['kind']> {
  found?(d: Deciding, key: NamedKey, serviceState: ServiceState, purpose: PurposeOf<K>): undefined;
  notFound?(d: Deciding, key: NamedKey, isUnderOtherKey: boolean, purpose: PurposeOf<K>): undefined;
  /** Nothing was learnt. */
  silent?(d: Deciding, why: EventOf<'silent'>['why'], purpose: PurposeOf<K>): undefined;
  compared?(d: Deciding, key: NamedKey, stored: Stored, purpose: PurposeOf<K>): undefined;
}

export type Questions<K extends Purpose['kind'] = Purpose['kind']> = {
  [One in K]: Question<One>;
};
