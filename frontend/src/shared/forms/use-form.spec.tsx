import { screen } from '@testing-library/react';
import { renderComponent } from '../../../test/render';
import { ApiError } from '../api/api-error';
import { FormField } from '../ui/fields/form-field';
import { SubmitButton } from '../ui/submit-button';
import { useForm } from './use-form';

interface Props {
  submit: (values: { name: string; city: string }) => Promise<void>;
  onFailure?: (error: unknown) => void;
}

function TestForm({ submit, onFailure }: Props) {
  const form = useForm({
    initial: { name: '', city: '' },
    validate: ({ name, city }) => ({
      name: name ? undefined : 'Name is required',
      city: city ? undefined : 'City is required',
    }),
    submit,
    onFailure,
  });
  return (
    <form {...form.formProps}>
      <FormField {...form.field('name')} label="Name" help="As on your card." />
      <FormField {...form.field('city')} label="City" />
      <SubmitButton isSubmitting={form.isSubmitting}>Send</SubmitButton>
    </form>
  );
}

const getSendButton = () => screen.getByRole('button', { name: 'Send' });
const getField = (name: string) => screen.getByRole('textbox', { name });

describe('useForm', () => {
  it('connects labels and help texts for screen readers', async () => {
    await renderComponent(<TestForm submit={jest.fn()} />);
    expect(getField('Name')).toHaveAccessibleDescription('As on your card.');
    expect(getField('Name')).toBeValid();
  });

  it('blocks submission while fields are invalid and focuses the first error', async () => {
    const submit = jest.fn();
    const { user } = await renderComponent(<TestForm submit={submit} />);
    await user.click(getSendButton());
    expect(submit).not.toHaveBeenCalled();
    expect(getField('Name')).toHaveAccessibleDescription('Name is required');
    expect(getField('City')).toBeInvalid();
    expect(getField('Name')).toHaveFocus();
  });

  it('clears the error of a field when it changes, and no other', async () => {
    const { user } = await renderComponent(<TestForm submit={jest.fn()} />);
    await user.click(getSendButton());
    await user.type(getField('Name'), 'D');
    expect(getField('Name')).toHaveAccessibleDescription('As on your card.');
    expect(getField('City')).toBeInvalid();
  });

  it('shows the server’s errors at the fields, focuses the first and keeps the values', async () => {
    const body = { errors: { city: ['No such city', 'Try another'], elsewhere: ['?'] } };
    const submit = () => Promise.reject(new ApiError(400, 'VALIDATION_FAILED', 'Some fields', 'r', body));
    const onFailure = jest.fn();
    const { user } = await renderComponent(<TestForm submit={submit} onFailure={onFailure} />);
    await user.type(getField('Name'), 'Deniz');
    await user.type(getField('City'), 'Atlantis');
    await user.click(getSendButton());
    expect(getField('City')).toHaveAccessibleDescription('No such city Try another');
    expect(getField('City')).toHaveFocus();
    expect(getField('Name')).toHaveValue('Deniz');
    expect(onFailure).not.toHaveBeenCalled();
  });

  it('reports an error that belongs to no field', async () => {
    const failure = new ApiError(500, 'INTERNAL', 'Oh');
    const onFailure = jest.fn();
    const { user } = await renderComponent(<TestForm submit={() => Promise.reject(failure)} onFailure={onFailure} />);
    await user.type(getField('Name'), 'Deniz');
    await user.type(getField('City'), 'Ankara{Enter}');
    expect(onFailure).toHaveBeenCalledWith(failure);
    expect(getField('City')).toHaveValue('Ankara');
  });

  it('submits once despite repeated clicks', async () => {
    let finish = () => undefined as void;
    const submit = jest.fn(() => new Promise<void>((resolve) => (finish = resolve)));
    const { user } = await renderComponent(<TestForm submit={submit} />);
    await user.type(getField('Name'), 'Deniz');
    await user.type(getField('City'), 'Ankara{Enter}{Enter}');
    expect(submit).toHaveBeenCalledTimes(1);
    expect(getSendButton()).toBeDisabled();
    finish();
    expect(await screen.findByRole('button', { name: 'Send' })).toBeInTheDocument();
  });
});
