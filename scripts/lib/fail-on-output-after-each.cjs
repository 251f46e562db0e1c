const { failOnOutput } = require('./fail-on-output.cjs');

afterEach(failOnOutput);
