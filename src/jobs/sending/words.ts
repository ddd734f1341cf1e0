import { type Document, documentNumber } from '../../domain/document.ts';
import type { Reason, Sentence } from '../../protocol/effects.ts';
import { causeOfTold } from '../authority-errors.ts';
import { numberOfAnother } from '../older-ledger/meet.ts';
import {
  alreadyRegistered,
  answerLost,
  findTheKey,
  heldByRejected,
  keyGone,
  keyUnexpected,
  lostBefore,
  maybeOurs,
  notAuthorised,
  refused,
  refusedAfterLost,
  replaced,
  storedDiffers,
  triedAgain,
  unconfirmed,
  vouchedFor,
} from '../sentences.ts';
import { takenBySomebody } from '../series-stop.ts';

type Says = (document: Document, words: readonly string[], reason: Reason & { planned?: string }) => string;

const sentences: Readonly<Record<Sentence, Says>> = {
  answerLost: (document, words) => answerLost(document, words),
  keyUnexpected: (document) => keyUnexpected(document),
  refused: (document, words) => refused(document, words.join(' ')),
  refusedAfterLost: (document, words) => refusedAfterLost(document, words.join(' ')),
  notAuthorised: (document, words) => notAuthorised(document, words, causeOfTold(words).says),
  triedAgain: (document, words) => triedAgain(document, words, causeOfTold(words).says),
  alreadyRegistered: (document) => alreadyRegistered(document),
  heldByRejected: (document) => heldByRejected(document, documentNumber(document) ?? ''),
  findTheKey: (document) => findTheKey(document),
  keyGone: (document) => keyGone(document),
  unconfirmed: (document) => unconfirmed(document),
  takenBySomebody: (document) => takenBySomebody(document).reason,
  maybeOurs: (document) => maybeOurs(document),
  lostBefore: (document) => lostBefore(document),
  storedDiffers: (document, _words, { accessKey = '' }) => storedDiffers(document, accessKey),
  numberOfAnother: (document) => numberOfAnother(document),
  replaced: (document) => replaced(document),
  vouchedFor: (document) => vouchedFor(document),
  planned: (_document, _words, { planned = '' }) => planned,
};

/**
 * What the merchant reads of a document, in Spanish.
 * @param planned what planner or series said, where that is the reason.
 */
export const wordsOf = (document: Document, reason: Reason, planned?: string): string =>
  reason.says
    .map((sentence) =>
      sentences[sentence](
        document,
        reason.words ?? [],
        planned === undefined ? reason : { ...reason, planned },
      ),
    )
    .join(' ');
