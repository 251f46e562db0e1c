import { execFileSync } from 'node:child_process';

/**
 * Returns the output of a script that uses the module, in a separate process, so that PDFium isn't loaded into the test
 * process.
 */
function printed(script: string): unknown {
  const module = new URL('./drawing-module.mjs', import.meta.url).href;
  const whole = `import { inRoom, module, Refusal } from ${JSON.stringify(module)};
    const { free } = module.wasmExports;
    const freed = [];
    module.wasmExports = { ...module.wasmExports, free: (pointer) => { freed.push(pointer); free(pointer); } };
    ${script}
    process.exit();`;
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', whole], { encoding: 'utf8' }));
}

describe('Memory of the PDFium module', () => {
  it.each([
    ['work that is done', 'undefined', 1],
    ['a wish that is refused', "new Refusal('damaged')", 1],
    ['a module that is lost, which is not to be called any more', 'new WebAssembly.RuntimeError()', 0],
  ])('is released after %s', (_what, error, expected) => {
    const script = `let pointer;
      try { inRoom(16, (given) => { pointer = given; const error = ${error}; if (error) throw error; }); } catch {}
      console.log(JSON.stringify(freed.filter((each) => each === pointer).length));`;
    expect(printed(script)).toBe(expected);
  });
});
