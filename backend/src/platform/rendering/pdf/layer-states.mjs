/**
 * Determines which layers (optional content, PDF 32000-1, 8.11) are switched off. PDFium applies this to page content,
 * but not to annotations, and has no function for it. The rules are the same as PDFium's, so that both agree.
 */
import { readPdfObjects, Reference, parseValue } from './pdf-objects.mjs';

/** @typedef {import('./pdf-objects.mjs').PdfValue} PdfValue */

const EMPTY = new Map();
/** Maximum nesting of expressions, which may be circular. */
const MAX_DEPTH = 32;

export class LayerStates {
  /** @type {import('./pdf-objects.mjs').PdfObjects | undefined} */
  #objects;

  /** @param {() => Buffer} file returns the bytes of the document; called when they are first needed */
  constructor(file) {
    this.file = file;
  }

  get #sources() {
    this.#objects ??= readPdfObjects(this.file());
    return this.#objects.sources;
  }

  /** Whether an annotation is in a layer that is off or can't be found. @param {number} number of its object */
  isAnnotationOff(number) {
    const layer = this.#toDictionary(new Reference(number)).get('/OC');
    return layer === undefined || layer === null || !this.#isShown(layer);
  }

  /** @param {PdfValue} layer a layer, or a group of layers (table 99) */
  #isShown(layer) {
    const dictionary = this.#toDictionary(layer);
    if (dictionary.get('/Type') !== '/OCMD') return this.#isOn(layer);
    const expression = this.#resolve(dictionary.get('/VE'));
    if (Array.isArray(expression)) return this.#isTrue(expression, 0);
    const layers = this.#resolve(dictionary.get('/OCGs'));
    const states = (Array.isArray(layers) ? layers : [dictionary.get('/OCGs')]).flatMap((each) =>
      this.#toDictionary(each) === EMPTY ? [] : this.#isOn(each),
    );
    if (states.length === 0) return true;
    const policy = dictionary.get('/P') ?? '/AnyOn';
    if (policy === '/AllOn') return states.every((isOn) => isOn);
    if (policy === '/AnyOff') return states.some((isOn) => !isOn);
    if (policy === '/AllOff') return states.every((isOn) => !isOn);
    return states.some((isOn) => isOn);
  }

  /** @param {PdfValue[]} expression `[/And …]`, `[/Or …]` or `[/Not …]` @param {number} depth */
  #isTrue([operator, ...operands], depth) {
    if (depth > MAX_DEPTH) return false;
    const states = operands.map((operand) => {
      const value = this.#resolve(operand);
      return Array.isArray(value) ? this.#isTrue(value, depth + 1) : this.#isOn(operand);
    });
    if (operator === '/Not') return !states[0];
    return operator === '/Or' ? states.some((isOn) => isOn) : states.every((isOn) => isOn);
  }

  /** @param {PdfValue} layer */
  #isOn(layer) {
    if (!(layer instanceof Reference)) return false;
    const usage = this.#toDictionary(this.#toDictionary(layer).get('/Usage'));
    const view = this.#toDictionary(usage.get('/View')).get('/ViewState');
    if (view !== undefined) return view !== '/OFF';
    const catalog = this.#objects?.root === undefined ? EMPTY : this.#toDictionary(new Reference(this.#objects.root));
    const configuration = this.#toDictionary(this.#toDictionary(catalog.get('/OCProperties')).get('/D'));
    // Without the configuration, the layer's state is unknown.
    if (configuration === EMPTY) return false;
    const isListedIn = (/** @type {string} */ key) => {
      const list = this.#resolve(configuration.get(key));
      return Array.isArray(list) && list.some((each) => each instanceof Reference && each.number === layer.number);
    };
    if (isListedIn('/OFF')) return false;
    return isListedIn('/ON') || configuration.get('/BaseState') !== '/OFF';
  }

  /** @returns {Map<string, PdfValue>} empty for anything but a dictionary */
  #toDictionary(/** @type {PdfValue | undefined} */ value) {
    const resolved = this.#resolve(value);
    return resolved instanceof Map ? resolved : EMPTY;
  }

  /** Follows a reference. @returns {PdfValue} */
  #resolve(/** @type {PdfValue | undefined} */ value) {
    if (!(value instanceof Reference)) return value ?? null;
    const source = this.#sources.get(value.number);
    return source === undefined ? null : parseValue(source);
  }
}
