const { format } = require('node:util');

/**
 * Fails tests that print, because output hides the messages of other tests. A test that expects output spies on it with
 * `jest.spyOn(console, …)`.
 */
const output = [];

/** React's hints about `act` depend on how busy the machine is and don't indicate a bug. */
const isActHint = (text) => /was not wrapped in act\(|suspended inside an `act` scope/.test(text);

for (const method of ['debug', 'error', 'info', 'log', 'warn']) {
  console[method] = (...args) => {
    const text = format(...args);
    if (!isActHint(text)) output.push(`console.${method}: ${text}`);
  };
}

/** @throws Error with what was printed since the last call */
function failOnOutput() {
  const lines = output.splice(0);
  if (lines.length > 0) throw new Error(`The test printed:\n${lines.join('\n')}`);
}

module.exports = { failOnOutput };
