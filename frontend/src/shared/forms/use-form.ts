import { useCallback, useEffect, useId, useRef, useState, type ChangeEvent, type FormEvent } from 'react';
import { ApiError, hasCode } from '../api/api-error';
import { useFormDraft, type FormDraftOptions } from './use-form-draft';

type Values = Record<string, string | boolean>;
export type FormErrors<V> = Partial<Record<keyof V & string, string>>;

/** Everything a text field needs; spread on `FormField` and `PublicField`. */
export interface FieldProps {
  id: string;
  name: string;
  value: string;
  error?: string;
  onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => void;
}

interface FormOptions<V extends Values> {
  initial: V;
  /** Errors of a submission that ended before the form was shown again: field → messages. */
  serverErrors?: Record<string, string[]>;
  /** Returns the errors by field; undefined if all values are valid. */
  validate?: (values: V) => FormErrors<V>;
  /**
   * Submits the values. May return the stored values, which the form then shows. If it throws an `ApiError`, the form
   * shows the errors at the fields it names.
   */
  submit: (values: V) => Promise<V | void>;
  /** For one-time codes: a code that was accepted, or rejected as wrong, isn't submitted again until it is edited. */
  ignoreRepeatedSubmit?: boolean;
  /** Draft that survives a reload until it is saved or discarded. */
  draft?: FormDraftOptions<V>;
  /** Called for every failure that no field can show. */
  onFailure?: (error: unknown) => void;
}

/**
 * Manages the values and errors of a form. Errors appear on submit, the first invalid field gets the focus, and an
 * error disappears when its field changes. A failed submit loses no input. `hasChanges` says whether a value differs
 * from the last saved one, `hasUnsavedChanges()` whether leaving would lose input now, `restored` whether the form
 * started from a draft.
 */
export function useForm<V extends Values>({
  initial,
  serverErrors = {},
  validate,
  submit,
  ignoreRepeatedSubmit = false,
  draft,
  onFailure,
}: FormOptions<V>) {
  const idPrefix = useId();
  const formRef = useRef<HTMLFormElement>(null);
  const { initialValues, restoredDraft, saveDraft, clearDraft } = useFormDraft(draft, initial);
  const [values, setValues] = useState(initialValues);
  const [saved, setSaved] = useState(initial);
  const [errors, setErrors] = useState(() => toFieldErrors(serverErrors, initial));
  const [isSubmitting, setIsSubmitting] = useState(false);
  const [failureCount, setFailureCount] = useState(Object.keys(serverErrors).length);
  const hasChanges = Object.keys(values).some((name) => values[name] !== saved[name]);
  /** The last submitted values, which need not be submitted again; every edit creates a new object. */
  const lastSubmittedRef = useRef<V | null>(null);
  const stateRef = useRef({ hasChanges, isSubmitting: false });

  useEffect(() => void (stateRef.current.hasChanges = hasChanges), [hasChanges]);
  useEffect(() => saveDraft(values, saved), [saveDraft, values, saved]);

  useEffect(() => {
    if (failureCount > 0) formRef.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [failureCount]);

  /** Resets the form to other values, which count as saved. */
  const reset = useCallback((next: V) => {
    setValues(next);
    setSaved(next);
    setErrors({});
  }, []);

  const showErrors = (fieldErrors: FormErrors<V>) => {
    setErrors(fieldErrors);
    setFailureCount((count) => count + 1);
  };

  const set = <K extends keyof V & string>(name: K, value: V[K]) => {
    setValues((previous) => ({ ...previous, [name]: value }));
    setErrors((previous) => ({ ...previous, [name]: undefined }));
  };

  const setAll = (part: Partial<V>) => setValues((previous) => ({ ...previous, ...part }));

  const submitForm = async () => {
    if (ignoreRepeatedSubmit && lastSubmittedRef.current === values) return;
    const validationErrors = validate?.(values) ?? {};
    if (Object.values(validationErrors).some(Boolean)) return showErrors(validationErrors);
    setIsSubmitting(true);
    stateRef.current.isSubmitting = true;
    try {
      const savedValues = await submit(values);
      lastSubmittedRef.current = values;
      if (savedValues) reset(savedValues);
      else setSaved(values);
      stateRef.current.hasChanges = false;
      // A dialog may be unmounted by now and no longer re-renders.
      clearDraft();
    } catch (error) {
      const fieldErrors = toFieldErrors(error instanceof ApiError ? error.errors : {}, values);
      if (hasCode(error, 'CODE_INVALID')) lastSubmittedRef.current = values;
      showErrors(fieldErrors);
      if (Object.keys(fieldErrors).length === 0) onFailure?.(error);
    } finally {
      setIsSubmitting(false);
      stateRef.current.isSubmitting = false;
    }
  };

  // If submitting navigates away, it does so before the form is rendered as saved.
  const hasUnsavedChanges = useCallback(() => stateRef.current.hasChanges && !stateRef.current.isSubmitting, []);

  const field = (name: keyof V & string): FieldProps => ({
    id: `${idPrefix}-${name}`,
    name,
    value: String(values[name]),
    error: errors[name],
    onChange: (event) => set(name, event.target.value as V[typeof name]),
  });

  const formProps = {
    ref: formRef,
    noValidate: true,
    onSubmit: (event: FormEvent) => {
      event.preventDefault();
      // React bubbles events of a form in a dialog to the form that opened the dialog, although the DOM does not.
      event.stopPropagation();
      if (!isSubmitting) void submitForm();
    },
  };

  return {
    values,
    set,
    setAll,
    reset,
    errors,
    field,
    isSubmitting,
    hasChanges,
    hasUnsavedChanges,
    restoredDraft,
    clearDraft,
    formProps,
    showErrors,
  };
}

function toFieldErrors<V extends Values>(errors: Record<string, string[]>, values: V): FormErrors<V> {
  const knownErrors = Object.entries(errors).filter(([name, sentences]) => name in values && sentences.length > 0);
  return Object.fromEntries(knownErrors.map(([name, messages]) => [name, messages.join(' ')])) as FormErrors<V>;
}
