/** Memory assertions for tests: sizes, collectability and growth of data structures, measured by Rootbound. */
module rootbound.junit {
    exports rootbound.junit;
}
