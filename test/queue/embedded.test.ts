import { dispatchContract } from './dispatch-contract.ts';
import { openSmallStreet } from './house.ts';

dispatchContract('SQLite and memory', openSmallStreet);
