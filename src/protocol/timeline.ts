import type { DocumentState, MoveCause, MoveNote } from '../domain/document.ts';

export interface Learnt {
  /** Each time the service said that it does not know a key, since anything else was learnt. */
  notFound: readonly { accessKey: string; at: number }[];
  /** When anything was learnt last. A repeat of the same number whose answer is lost again is no news. */
  newsAt: number;
  /** The last move recorded that a POST left nothing behind. */
  knownUnsent: boolean;
  /** The document was `uncertain` at some time. */
  wasUncertain: boolean;
  /** Every key on its number that a move names. */
  keys: readonly string[];
}

export interface Move {
  from: DocumentState | null;
  to: DocumentState;
  note: MoveNote;
  at: number;
}

export const nothingLearnt = (at: number): Learnt => ({
  notFound: [],
  newsAt: at,
  knownUnsent: false,
  wasUncertain: false,
  keys: [],
});

const noNews: ReadonlySet<unknown> = new Set<MoveCause>([
  'no final state',
  'not found',
  'found',
  'known unsent',
]);
/** Any other cause says that the service knows the document, or that it was sent again. */
const keepsNotFound: ReadonlySet<unknown> = new Set<MoveCause>(['not found', 'no final state']);
const mayHaveLeft: ReadonlySet<unknown> = new Set<DocumentState>(['sending', 'uncertain']);

/** The same fold for a move just decided and for the rows of the ledger. */
export function learn(learnt: Learnt, { from, to, note, at }: Move): Learnt {
  const { cause } = note;
  const isRepeat = mayHaveLeft.has(to) && (mayHaveLeft.has(from) || learnt.knownUnsent);
  // After an unexpected key, `otherKey` is that of another document.
  const key = cause === 'unexpected key' ? note.accessKey : (note.accessKey ?? note.otherKey);
  const named = typeof key === 'string' ? key : null;
  return {
    notFound: keepsNotFound.has(cause)
      ? [...learnt.notFound, ...(named === null ? [] : [{ accessKey: named, at }])]
      : [],
    newsAt: isRepeat || noNews.has(cause) ? learnt.newsAt : at,
    knownUnsent: cause === 'known unsent',
    wasUncertain: learnt.wasUncertain || to === 'uncertain',
    keys: named === null || learnt.keys.includes(named) ? learnt.keys : [...learnt.keys, named],
  };
}
