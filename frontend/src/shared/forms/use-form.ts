import { useCallback, useEffect, useId, useRef, useState, type ChangeEvent, type FormEvent } from 'react';
import { ApiError, hasCode } from '../api/api-error';
import { useFormDraft, type FormDraftOptions } from './use-form-draft';

type Values = Record<string, string | boolean>;
export type FormErrors<V> = Partial<Record<keyof V & string, string>>;

/** What a text field needs to show itself; `FormField` and `PublicField` take it whole. */
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
  serverErrors?: Record<string, string[]>;
  /** The sentences for the fields that are not right; nothing when all are. */
  validate?: (values: V) => FormErrors<V>;
  /**
   * Sends the values, and may give them as they are kept now, which the form then shows. An `ApiError` that it throws is
   * shown at the fields it names.
   */
  submit: (values: V) => Promise<V | void>;
  /** For codes: what was accepted, or refused as wrong, is not sent again until something of it is typed anew. */
  ignoreRepeatedSubmit?: boolean;
  /** What is kept over a reload until it is saved or let go. */
  draft?: FormDraftOptions<V>;
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
  /** What was sent last and need not be sent again; each change makes other values. */
  const lastSubmittedRef = useRef<V | null>(null);
  const stateRef = useRef({ hasChanges, isSubmitting: false });

  useEffect(() => void (stateRef.current.hasChanges = hasChanges), [hasChanges]);
  useEffect(() => saveDraft(values, saved), [saveDraft, values, saved]);

  useEffect(() => {
    if (failureCount > 0) formRef.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [failureCount]);

  /** Begins anew with other values, which are then those that are saved. */
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
      // A dialog may be gone by now, and draws nothing any more.
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

  // Where sending leads elsewhere, it does so before the form is drawn as saved.
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
      // A form in a dialog is no part of the form that opened it, though what happens in it is told there as well.
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
