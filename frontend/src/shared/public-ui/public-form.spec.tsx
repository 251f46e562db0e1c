import { act, screen } from '@testing-library/react';
import { renderComponent } from '../../../test/render';
import { useForm } from '../forms/use-form';
import { PublicButton, PublicSubmitButton } from './public-button';
import { PublicPasswordField } from './public-password-field';

interface Props {
  submit?: () => Promise<void>;
  onResend?: () => void;
}

function TestForm({ submit = () => Promise.resolve(), onResend }: Props) {
  const form = useForm({
    initial: { password: '' },
    validate: ({ password }) => ({ password: password ? undefined : 'Enter the password' }),
    submit,
  });
  return (
    <form {...form.formProps}>
      <PublicPasswordField
        {...form.field('password')}
        label="Password"
        help="As in the email"
        autoComplete="current-password"
      />
      <PublicSubmitButton isSubmitting={form.isSubmitting}>Open</PublicSubmitButton>
      <PublicButton isPending={form.isSubmitting} onClick={onResend}>
        Send Again
      </PublicButton>
    </form>
  );
}

describe('Forms of the public pages', () => {
  it('reveal a password and describe the field by its help or its error', async () => {
    const { user } = await renderComponent(<TestForm />);
    const input = screen.getByLabelText('Password');
    expect(input).toHaveAccessibleDescription('As in the email');
    await user.click(screen.getByRole('button', { name: 'Open' }));
    expect(input).toHaveAccessibleDescription('Enter the password');
    expect(input).toBeInvalid();
    expect(input).toHaveFocus();
    await user.type(input, 'secret');
    expect(input).toHaveAttribute('type', 'password');
    await user.click(screen.getByRole('button', { name: 'Show password' }));
    expect(input).toHaveAttribute('type', 'text');
    expect(input).toHaveValue('secret');
  });

  it('ignore clicks while submitting and keep the focus on the button', async () => {
    let finish = () => undefined as void;
    const submit = jest.fn(() => new Promise<void>((resolve) => (finish = resolve)));
    const onResend = jest.fn();
    const { user } = await renderComponent(<TestForm submit={submit} onResend={onResend} />);
    await user.type(screen.getByLabelText('Password'), 'secret');
    const open = screen.getByRole('button', { name: 'Open' });
    await user.click(open);
    await user.click(screen.getByRole('button', { name: 'Send Again' }));
    await user.click(open);
    expect(submit).toHaveBeenCalledTimes(1);
    expect(onResend).not.toHaveBeenCalled();
    expect(open).toHaveAttribute('aria-disabled', 'true');
    expect(open).toHaveFocus();
    await act(async () => finish());
    expect(open).toHaveAttribute('aria-disabled', 'false');
  });
});
