export { showProgress, showTable, toJson } from './report.ts';
export { type Demo, type DemoServers, runDemo } from './run.ts';
