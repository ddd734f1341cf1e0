import type { MoveCause } from '../../../domain/move-note.ts';
import { causeWords as es } from '../../../jobs/story-words.ts';
import { inBoth } from '../words.ts';

const en: Record<MoveCause, string> = {
  issuer: 'The tax authority named a cause with the issuer, outside the document.',
  authority: 'The tax authority had an error of its own.',
  registered: 'The tax authority had that access key already.',
  'number-taken': 'The tax authority had that number already.',
  'in-process': 'The tax authority was still at that access key.',
  date: 'The day of its issue date was over.',
  document: 'The tax authority named a cause in the document itself.',
  retry: 'Somebody asked to try it again.',
  'new number': 'Somebody answered for a new number.',
  reprocess: 'Somebody asked to have it reprocessed.',
  accepted: 'Somebody said that what the shop tells now is right.',
  'key given by hand': 'Its access key was given by hand.',
  found: 'The service shows it now, after it said that it did not know it.',
  'not found': 'The service said that it does not know it.',
  'foreign key': 'The access key proved another document’s.',
  'foreseen key':
    'The answer was lost; the service showed the document under the access key that was foreseen.',
  'unexpected key': 'The service answered with an access key that was not expected.',
  'no webhook told the key': 'No notice of the service told its access key.',
  'no final state': 'For more than a day the service did not say how it ended.',
  'known unsent': 'That sending is known to have left nothing with the service.',
  'known not authorised': 'It is known not to be authorised.',
  'leaves anew with today’s date': 'It leaves again with today’s date and its own number.',
  reprocessed: 'The service processes it again.',
  'not reprocessed': 'The service did not process it again.',
  'lost by the ledger': 'The ledger had lost it; the service still holds it.',
  'written again': 'The order no longer bore its access key; it is written onto it once more.',
  'the process that sent it died': 'The program stopped while it was sending it.',
};

/** Causes of a move as the story tells them. */
export const causeWords: Record<'es' | 'en', Readonly<Record<string, string>>> = inBoth(es, en);
