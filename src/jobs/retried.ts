/** What came of asking for a document once more; `says` is for the person, in Spanish. */
export interface Retried {
  /** `looked-again`: its order is read anew; `sent-again`: under its own number; `replaced`: under a new one. */
  kind: 'looked-again' | 'sent-again' | 'replaced' | 'nothing' | 'refused';
  says: string;
}

/** Somebody else moved the document while it was looked at. */
export const overtaken: Retried = {
  kind: 'nothing',
  says: 'Otro proceso lo movió en este momento; vea cómo quedó.',
};
