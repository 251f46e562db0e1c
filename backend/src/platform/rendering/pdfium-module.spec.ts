import { execFileSync } from 'node:child_process';

/**
 * Returns the output of a script that uses the module, in a separate process, so that PDFium isn't loaded into the test
 * process.
 */
function runScript(script: string): unknown {
  const module = new URL('./pdfium-module.mjs', import.meta.url).href;
  const program = `import { withMemory, pdfium, DocumentError } from ${JSON.stringify(module)};
    const { free } = pdfium.wasmExports;
    const freed = [];
    pdfium.wasmExports = { ...pdfium.wasmExports, free: (pointer) => { freed.push(pointer); free(pointer); } };
    ${script}
    process.exit();`;
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' }));
}

describe('Memory of the PDFium module', () => {
  it.each([
    ['successful work', 'undefined', 1],
    ['a document error', "new DocumentError('damaged')", 1],
    ['a crash of the module (not at all, as it must not be called again)', 'new WebAssembly.RuntimeError()', 0],
  ])('is released after %s', (_what, error, expected) => {
    const script = `let pointer;
      const work = (allocated) => { pointer = allocated; const error = ${error}; if (error) throw error; };
      try { withMemory(16, work); } catch {}
      console.log(JSON.stringify(freed.filter((each) => each === pointer).length));`;
    expect(runScript(script)).toBe(expected);
  });
});
