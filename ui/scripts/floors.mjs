/**
 * Judges what dependency-cruiser saw, read from standard input.
 *
 * Its own exit code is not enough: with a TypeScript it cannot read it sees nothing, and passes.
 */
import { readFileSync } from 'node:fs';

const { modules, summary } = JSON.parse(readFileSync(0, 'utf8'));
const sources = modules.filter((module) => /^src\/.*\.tsx?$/.test(module.source));
const imports = sources.reduce((sum, module) => sum + module.dependencies.length, 0);

for (const { rule, from, to } of summary.violations) {
  console.error(`${rule.name}: ${from}${to && to !== from ? ` → ${to}` : ''}`);
}
if (sources.length === 0 || imports === 0) {
  console.error(
    `the floors of the UI were not checked: ${sources.length} source files and ${imports} imports seen; ` +
      'does dependency-cruiser read the installed TypeScript?',
  );
  process.exit(1);
}
if (summary.error > 0) {
  console.error(`${summary.error} floor(s) broken; the rules are in .dependency-cruiser.cjs`);
  process.exit(1);
}
console.log(`floors kept: ${sources.length} source files, ${imports} imports`);
