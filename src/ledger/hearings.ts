import type { DocumentState } from '../domain/document.ts';
import type { Access } from './access.ts';

/** A state of a document; the version tells two stays in one state apart. */
export interface Heard {
  state: DocumentState;
  version: number;
}

/** Which state of a document each listener heard of last. */
export interface HearingTable {
  last(documentId: string, listener: string): Promise<Heard | null>;
  heard(documentId: string, listener: string, heard: Heard, now: Date): Promise<void>;
}

export function hearingTable(access: Access): HearingTable {
  return {
    async last(documentId, listener) {
      const row = await access
        .db()
        .selectFrom('hearings')
        .select(['state', 'version'])
        .where('document_id', '=', documentId)
        .where('listener', '=', listener)
        .executeTakeFirst();
      return row ?? null;
    },

    async heard(documentId, listener, { state, version }, now) {
      const heard = { state, version, heard_at: now.toISOString() };
      await access
        .db()
        .insertInto('hearings')
        .values({ document_id: documentId, listener, ...heard })
        .onConflict((known) => known.columns(['document_id', 'listener']).doUpdateSet(heard))
        .execute();
    },
  };
}
