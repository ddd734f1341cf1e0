import { dispatchContract } from './dispatch-contract.ts';
import { openEmbedded } from './installation.ts';

dispatchContract('SQLite and memory', openEmbedded);
