package io.polytable.conformance.process;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * A test class that uses {@link SharedServers}, which it takes as a parameter. One class at a time does, beside classes
 * that start servers of their own.
 */
@java.lang.annotation.Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(SharedServersParameter.class)
@ResourceLock("shared servers")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public @interface OnSharedServers {}
