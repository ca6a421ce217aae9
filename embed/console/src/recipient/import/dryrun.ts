import { ApiError, asApiError, upload } from '@shell';
import { useRef, useState } from 'react';
import { showFailure } from './failure';
import { formOf, type Mapping, type Report, type Terms } from './terms';

export interface DryRun {
  report: Report | undefined;
  pending: boolean;
  /** What is wrong, by the field of the form: file, mapping, tags, list_id and so on. */
  errors: Readonly<Record<string, string>>;
  /** Asks what would become of the file; true when it can go on. The same is not asked twice. */
  run: (file: File, terms: Terms, mapping: Mapping) => Promise<boolean>;
}

/** Asks the API to read a file and to save nothing. */
export function useDryRun(): DryRun {
  const [report, setReport] = useState<Report>();
  const [pending, setPending] = useState(false);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const answered = useRef('');
  const file = useRef<File>(undefined);

  async function run(f: File, terms: Terms, mapping: Mapping): Promise<boolean> {
    const question = JSON.stringify([terms, mapping]);
    if (f === file.current && question === answered.current) return true;
    setPending(true);
    setErrors({});
    if (f !== file.current) setReport(undefined);
    try {
      setReport(await upload('/recipients/import', formOf(f, terms, mapping, true)));
      [file.current, answered.current] = [f, question];
      return true;
    } catch (thrown) {
      const e = asApiError(thrown);
      if (e.code === 'invalid_upload') setErrors({ unreadable: e.message });
      else if (e instanceof ApiError && Object.keys(e.details).length) setErrors(e.details);
      else showFailure(e);
      return false;
    } finally {
      setPending(false);
    }
  }
  return { report, pending, errors, run };
}
