import { testRows } from '../support/crash/rows.ts';

testRows('factura', 'aleatorio');
