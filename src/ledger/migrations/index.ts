import type { Migration } from '../migrate.ts';
import { tables } from './0001-tables.ts';

/** In the order they are applied; only ever appended to. */
export const migrations: readonly Migration[] = [tables];
