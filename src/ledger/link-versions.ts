import { sql } from 'kysely';
import type { Access } from './access.ts';

/** How often the links of a document were revoked: a link bears the number it was made under. */
export interface LinkVersions {
  /** 0 for a document whose links were never revoked. */
  of(documentId: string): Promise<number>;
  /** Every link made so far is gone; answers the number new ones bear. */
  revoke(documentId: string, now: Date): Promise<number>;
}

export function linkVersionTable(access: Access): LinkVersions {
  return {
    async of(documentId) {
      const row = await access
        .db()
        .selectFrom('link_versions')
        .select('version')
        .where('document_id', '=', documentId)
        .executeTakeFirst();
      return row?.version ?? 0;
    },

    async revoke(documentId, now) {
      const revokedAt = now.toISOString();
      const row = await access
        .db()
        .insertInto('link_versions')
        .values({ document_id: documentId, version: 1, revoked_at: revokedAt })
        .onConflict((known) =>
          known
            .column('document_id')
            .doUpdateSet({ version: sql`link_versions.version + 1`, revoked_at: revokedAt }),
        )
        .returning('version')
        .executeTakeFirstOrThrow();
      return row.version;
    },
  };
}
