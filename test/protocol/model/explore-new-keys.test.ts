import { exploreAll } from './explore-all.ts';

/** Services that give each POST a key of its own; the ledger knows that, or still foresees the former digits. */
exploreAll(['random', 'varied']);
