export { type Demo, type DemoServers, openDemo } from './run.ts';
export { sellTen, toJson } from './sales.ts';
export { showDemo } from './show.ts';
