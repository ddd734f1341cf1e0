import { testRows } from '../support/crash/rows.ts';

testRows('nota-credito', 'fijo');
