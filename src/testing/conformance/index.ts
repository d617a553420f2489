export type {
  ConformanceCheck,
  ConformanceOptions,
  ConformancePrompts,
  ConformanceProvider,
  ConformanceSuite,
} from './conformance-subject.js';
export {
  addConformanceTests,
  createConformanceSuite,
  type TestFunctions,
} from './create-conformance-suite.js';
