import type { Migration } from '../migrate.ts';
import { tables } from './0001-tables.ts';

/** They are applied in this order; new ones are only appended. */
export const migrations: readonly Migration[] = [tables];
