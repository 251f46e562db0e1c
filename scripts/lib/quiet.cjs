const { format } = require('node:util');

/**
 * A test that prints hides what the next one has to say, so a test fails when something is printed in it. What prints on
 * purpose is listened to by `jest.spyOn(console, …)`.
 */
const printed = [];

/** React's advice to the author of a test comes or not by how busy the machine is, and tells of no fault. */
const isAdvice = (text) => /was not wrapped in act\(|suspended inside an `act` scope/.test(text);

for (const method of ['debug', 'error', 'info', 'log', 'warn']) {
  console[method] = (...parts) => {
    const text = format(...parts);
    if (!isAdvice(text)) printed.push(`console.${method}: ${text}`);
  };
}

/** @throws Error of what was printed since it was asked last */
function refusePrinted() {
  const all = printed.splice(0);
  if (all.length > 0) throw new Error(`This was printed:\n${all.join('\n')}`);
}

module.exports = { refusePrinted };
