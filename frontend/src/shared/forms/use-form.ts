import { useCallback, useEffect, useId, useRef, useState, type ChangeEvent, type FormEvent } from 'react';
import { ApiError, hasCode } from '../api/api-error';
import { useKeptWords, type Keep } from './use-kept-words';

type Values = Record<string, string | boolean>;
export type FormErrors<V> = Partial<Record<keyof V & string, string>>;

/** What a text field needs to show itself; `FormField` and `PlainField` take it whole. */
export interface FieldProps {
  id: string;
  name: string;
  value: string;
  error?: string;
  onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => void;
}

interface FormOptions<V extends Values> {
  initial: V;
  /** What the server did not accept before the form was shown again: field → sentences. */
  rejected?: Record<string, string[]>;
  /** The sentences for the fields that are not right; nothing when all are. */
  validate?: (values: V) => FormErrors<V>;
  /**
   * Sends the values, and may give them as they are kept now, which the form then shows. An `ApiError` that it throws is
   * shown at the fields it names.
   */
  submit: (values: V) => Promise<V | void>;
  /** For codes: what was accepted, or refused as wrong, is not sent again until something of it is typed anew. */
  sendsOnce?: boolean;
  /** What is kept over a reload until it is saved or let go. */
  keep?: Keep<V>;
  /** Told of every failure that no field could show. */
  onFailure?: (error: unknown) => void;
}

/**
 * Keeps the values and errors of a form. Errors appear when the form is sent, the first one gets the focus, each goes
 * away when its field changes, and nothing that was typed is lost when sending fails. `changed` tells that a value is not
 * the one that was last saved, `isUnsaved()` that it would be lost now, `restored` that it begins with what was written before
 * the page was loaded anew.
 */
export function useForm<V extends Values>({
  initial,
  rejected = {},
  validate,
  submit,
  sendsOnce = false,
  keep,
  onFailure,
}: FormOptions<V>) {
  const base = useId();
  const ref = useRef<HTMLFormElement>(null);
  const { first, restored, note, forget } = useKeptWords(keep, initial);
  const [values, setValues] = useState(first);
  const [saved, setSaved] = useState(initial);
  const [errors, setErrors] = useState(() => errorsAtFields(rejected, initial));
  const [sending, setSending] = useState(false);
  const [failures, setFailures] = useState(Object.keys(rejected).length);
  const changed = Object.keys(values).some((name) => values[name] !== saved[name]);
  /** What was sent last and need not be sent again; each change makes other values. */
  const answered = useRef<V | null>(null);
  const standing = useRef({ changed, sending: false });

  useEffect(() => void (standing.current.changed = changed), [changed]);
  useEffect(() => note(values, saved), [note, values, saved]);

  useEffect(() => {
    if (failures > 0) ref.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [failures]);

  /** Begins anew with other values, which are then those that are saved. */
  const reset = useCallback((next: V) => {
    setValues(next);
    setSaved(next);
    setErrors({});
  }, []);

  const fail = (found: FormErrors<V>) => {
    setErrors(found);
    setFailures((count) => count + 1);
  };

  const set = <K extends keyof V & string>(name: K, value: V[K]) => {
    setValues((before) => ({ ...before, [name]: value }));
    setErrors((before) => ({ ...before, [name]: undefined }));
  };

  const setAll = (part: Partial<V>) => setValues((before) => ({ ...before, ...part }));

  const send = async () => {
    if (sendsOnce && answered.current === values) return;
    const found = validate?.(values) ?? {};
    if (Object.values(found).some(Boolean)) return fail(found);
    setSending(true);
    standing.current.sending = true;
    try {
      const kept = await submit(values);
      answered.current = values;
      if (kept) reset(kept);
      else setSaved(values);
      standing.current.changed = false;
      // A dialog may be gone by now, and draws nothing any more.
      forget();
    } catch (error) {
      const atFields = errorsAtFields(error instanceof ApiError ? error.errors : {}, values);
      if (hasCode(error, 'CODE_INVALID')) answered.current = values;
      fail(atFields);
      if (Object.keys(atFields).length === 0) onFailure?.(error);
    } finally {
      setSending(false);
      standing.current.sending = false;
    }
  };

  // Where sending leads elsewhere, it does so before the form is drawn as saved.
  const isUnsaved = useCallback(() => standing.current.changed && !standing.current.sending, []);

  const field = (name: keyof V & string): FieldProps => ({
    id: `${base}-${name}`,
    name,
    value: String(values[name]),
    error: errors[name],
    onChange: (event) => set(name, event.target.value as V[typeof name]),
  });

  const formProps = {
    ref,
    noValidate: true,
    onSubmit: (event: FormEvent) => {
      event.preventDefault();
      // A form in a dialog is no part of the form that opened it, though what happens in it is told there as well.
      event.stopPropagation();
      if (!sending) void send();
    },
  };

  return { values, set, setAll, reset, errors, field, sending, changed, isUnsaved, restored, forget, formProps, fail };
}

function errorsAtFields<V extends Values>(errors: Record<string, string[]>, values: V): FormErrors<V> {
  const known = Object.entries(errors).filter(([name, sentences]) => name in values && sentences.length > 0);
  return Object.fromEntries(known.map(([name, sentences]) => [name, sentences.join(' ')])) as FormErrors<V>;
}
