import { exploreAll } from './explore-all.ts';

/** Services that give the same number on the same day the same key; known to the ledger, or not. */
exploreAll(['fixed', 'foreseen']);
