import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { queries } from '../api/query';
import { RecoveryCodes } from './RecoveryCodes';
import { CodeStep, SignIn } from './SignIn';
import { TwoFactor } from './TwoFactor';

const answer = (body: unknown) => new Response(JSON.stringify(body), { headers: { 'Content-Type': 'application/json' } });
const show = (what: ReactNode) =>
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={queries}>{what}</QueryClientProvider>
    </MantineProvider>,
  );

afterEach(() => {
  cleanup();
  queries.clear();
  vi.unstubAllGlobals();
});

function server(answers: Record<string, unknown>) {
  const asked: Request[] = [];
  vi.stubGlobal(
    'fetch',
    vi.fn(async (r: Request) => {
      asked.push(r.clone());
      return answer(answers[new URL(r.url).pathname.replace('/api/v1', '')] ?? {});
    }),
  );
  return asked;
}

const codes = Array.from({ length: 10 }, (_, i) => `abcd${'efghijklmn'[i]}-23456`);

test('recovery codes are shown, copied and downloaded', async () => {
  const copied = vi.fn(async () => {});
  vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText: copied } });
  const kept = vi.fn();
  show(<RecoveryCodes codes={codes} onKept={kept} />);
  for (const c of codes) expect(screen.getByText(c)).toBeTruthy();
  fireEvent.click(screen.getByText('copy.copy'));
  expect(copied).toHaveBeenCalledWith(`${codes.join('\n')}\n`);
  const file = screen.getByText('twofactor.download').closest('a')!;
  expect(file.getAttribute('download')).toBe('recovery-codes.txt');
  expect(decodeURIComponent(file.getAttribute('href')!)).toBe(`data:text/plain;charset=utf-8,${codes.join('\n')}\n`);
  fireEvent.click(screen.getByText('secret.kept'));
  expect(kept).toHaveBeenCalledOnce();
});

// Messaging decisions, 21.1: the codes are in one answer only.
test('turning two-factor on shows its codes until they are kept, and keeps none in memory', async () => {
  server({
    '/me/mfa/setup': { secret: 'ABC', otpauth_url: 'otpauth://totp/x?secret=ABC' },
    '/me/mfa/enable': { user: { id: 'usr_1', mfa_enabled: true }, mfa_verified: true, recovery_codes: codes },
  });
  const close = vi.fn();
  show(<TwoFactor onClose={close} />);
  const digits = await screen.findAllByLabelText('signin.digit');
  fireEvent.paste(digits[0]!, { clipboardData: { getData: () => '123456' } });
  fireEvent.submit(digits[0]!.closest('form')!);
  expect(await screen.findByText(codes[0]!)).toBeTruthy();
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(close).not.toHaveBeenCalled();
  fireEvent.click(screen.getByText('secret.kept'));
  expect(close).toHaveBeenCalledOnce();
  const kept = JSON.stringify(
    queries
      .getQueryCache()
      .getAll()
      .map((q) => q.state.data),
  );
  expect(kept).toContain('usr_1');
  expect(kept).not.toContain(codes[0]);
});

test('sign-in takes a recovery code in place of the six digits', async () => {
  const asked = server({ '/auth/mfa/verify': { user: { id: 'usr_1' } } });
  const done = vi.fn();
  show(<CodeStep onDone={done} onBack={() => {}} />);
  fireEvent.click(await screen.findByText('signin.useRecovery'));
  const submit = screen.getByText('signin.submit').closest('button')!;
  const field = screen.getByLabelText('signin.recoveryCode');
  fireEvent.change(field, { target: { value: 'abcde-1' } });
  expect(submit.disabled).toBe(true);
  fireEvent.change(field, { target: { value: ' abcde-23456 ' } });
  fireEvent.click(submit);
  await vi.waitFor(() => expect(done).toHaveBeenCalledOnce());
  expect(await asked.find((r) => r.url.endsWith('/auth/mfa/verify'))!.json()).toEqual({ code: 'abcde-23456' });
});

test('sign-in asks for a link to a new password', async () => {
  const asked = server({ '/public/config': { mail: true, signup: 'closed' }, '/auth/password-reset': { accepted: true } });
  show(<SignIn onDone={() => {}} />);
  fireEvent.click(await screen.findByText('signin.forgotten'));
  fireEvent.change(await screen.findByLabelText('signin.email'), { target: { value: 'olga@example.com' } });
  fireEvent.submit(screen.getByText('signin.resetSend').closest('form')!);
  expect(await screen.findByText('signin.resetSent')).toBeTruthy();
  expect(await asked.find((r) => r.url.endsWith('/auth/password-reset'))!.json()).toMatchObject({ email: 'olga@example.com' });
  fireEvent.click(screen.getByText('signin.resetBack'));
  expect(await screen.findByText('signin.submit')).toBeTruthy();
});

test('where no mail is sent, sign-in offers no link to a new password', async () => {
  server({ '/public/config': { mail: false, signup: 'closed' } });
  show(<SignIn onDone={() => {}} />);
  await vi.waitFor(() => expect(queries.getQueryState(['/public/config', {}, {}])?.status).toBe('success'));
  expect(screen.queryByText('signin.forgotten')).toBeNull();
});
